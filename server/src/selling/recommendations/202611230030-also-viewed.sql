-- Product pages also show what others who viewed the product viewed, unless an operator has chosen other sources. One of five rows.
insert into recommendations.placement (placement, sources) values ('article_page', '{goes_with,bought_together,also_viewed}')
  on conflict (placement) do update set sources = excluded.sources where placement.sources = '{goes_with,bought_together}';
