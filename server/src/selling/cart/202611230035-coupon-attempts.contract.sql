-- Guesses are counted by quotas.
drop table cart.coupon_attempt;
