//! Numbers of versions whose replicas share windows in registers (`transform/register_window/versions.rs`).

/// Replicas along x in large grids of blocks of two dimensions: two thirds of the instructions that four take, by
/// output, and with 32 registers two words spilled once. Interior blocks gain little, and their code is long.
pub const MANY_REPLICAS: [u32; 3] = [8, 1, 1];
/// Replicas along x. Windows that slide along columns gain where they are long alone (33 rows: x0.8 to
/// x1.37, 9 rows: x0.75), and are left alone.
pub const REPLICAS: [u32; 3] = [4, 1, 1];
/// Replicas for blocks of two dimensions where four do not fit the tiles (32x32), and for smaller grids.
pub const FEWER_REPLICAS: [u32; 3] = [2, 1, 1];
/// Bytes of tiles for blocks that are rows: 17 blocks fit a multiprocessor.
pub const ROW_BYTES: u32 = 12 * 1024;
/// For blocks of two dimensions: 17x17 elements fit around 16x16 and 32x8 threads, 8 blocks merged, and around
/// 32x32, 2 merged. More leaves L1 little, where short windows live (3x3 in 28 KB, 4096²: x1.34, in 20 KB x1.84).
pub const SQUARE_BYTES: u32 = 20480;
/// Elements of a window up to which tiles never pay: 3x3 x0.71 to x1.22, without tiles x1.0 (`plan/whole.rs`).
/// Asked where an array's size says how long windows are.
pub const SHORT: i64 = 16;
