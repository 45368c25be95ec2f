-- The name of the sender of an invitation, as its mail has it: the page of the link says it too. Null = sent by a version that did not store it.
alter table mailed_links add column inviter text;
