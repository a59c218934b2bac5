-- Freight that could only be had by appointment can be delivered to the kerb too, at the same price and in the same time.
update catalogue.offer
   set delivery = jsonb_build_array((delivery -> 0) || '{"kind": "kerbside"}') || delivery
 where delivery <> '[]'
   and not jsonb_path_exists(delivery, '$[*] ? (@.kind != "appointment")');
