-- A list may belong to one of the company's building sites: its owner is then 'k:<company>', and those who order for the company use it.
alter table wishlists.list add column site_id uuid;
alter table wishlists.list add constraint list_site_owner check (site_id is null or (owner like 'k:%' and not is_default)) not valid;
