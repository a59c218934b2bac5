alter table wishlists.list validate constraint list_site_owner;
