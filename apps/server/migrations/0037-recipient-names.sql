-- SVC-02: the person behind an address, as mails greet them. Empty where nobody was named.
alter table notification_subscriptions add column recipient text not null default '';
