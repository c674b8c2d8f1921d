; hang with force;merge=1x1x2 then -O3: no answer within 10 s
; seed 77001000152, cuts [0, 0, 0, 3]
