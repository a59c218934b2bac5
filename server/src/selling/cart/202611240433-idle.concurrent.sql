-- Baskets left behind, by the time of their last change. BRIN: an index of another kind would make every change of a basket write all its indexes.
create index concurrently cart_updated on cart.cart using brin (updated_at) with (pages_per_range = 32);
