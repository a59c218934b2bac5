alter table reminders.basket drop constraint basket_channel_check;
alter table reminders.basket add constraint basket_channel_known check (channel in ('email', 'push', 'sms')) not valid;
