create index concurrently choice_dialog on consent.choice (dialog, click) where dialog is not null;
