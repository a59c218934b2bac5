-- Product pages also show what others who viewed the product viewed, unless an operator has chosen other sources.
update recommendations.placement set sources = '{goes_with,bought_together,also_viewed}'
  where placement = 'article_page' and sources = '{goes_with,bought_together}';
