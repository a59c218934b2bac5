-- Whose message it is, as ownerOf names a person: an e-mail address may be that of two accounts. Null: sent before this column.
alter table contact.message add column owner text;
