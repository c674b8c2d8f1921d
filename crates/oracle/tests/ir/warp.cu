// Warp primitives: each output is one primitive of the lane number.
extern "C" __global__ void warp(int *out) {
  int lane = threadIdx.x & 31, *o = out + threadIdx.x * 12;
  unsigned all = 0xffffffffu;
  int sum = lane;
  for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(all, sum, d);
  o[0] = sum;
  o[1] = __shfl_up_sync(all, lane, 3);
  o[2] = __shfl_down_sync(all, lane, 5, 8);
  o[3] = __shfl_sync(all, lane, lane * 7);
  o[4] = __ballot_sync(all, lane % 3 == 0);
  o[5] = __any_sync(all, lane == 40) * 2 + __all_sync(all, lane < 32);
  o[6] = __match_any_sync(all, lane / 8);
  int pred;
  o[7] = __match_all_sync(all, 5, &pred) + pred;
  o[8] = __reduce_add_sync(all, lane) + __reduce_max_sync(all, -lane);
  o[9] = lane < 10 ? (int)__activemask() : -1;
  __syncwarp();
  o[10] = __float2int_rn(__shfl_xor_sync(all, lane * 0.5f, 1) * 2);
  unsigned half = lane < 16 ? 0xffffu : 0xffff0000u;
  o[11] = __shfl_sync(half, lane, lane < 16 ? 2 : 18);
}
