create index concurrently exposure_unit on experiments.exposure (unit, campaign_id) where unit is not null;
