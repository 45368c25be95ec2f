-- Values are renamed as in the code (docs/glossary.md): a reason of presence, and the end of a remote session.
update routers set presence_reason = 'not-seen-since-restart' where presence_reason = 'not-heard-since-restart';
update devices set presence_reason = 'not-seen-since-restart' where presence_reason = 'not-heard-since-restart';
update connectivity set reason = 'not-seen-since-restart' where reason = 'not-heard-since-restart';
update remote_sessions set end_reason = 'rejected' where end_reason = 'refused';
update router_events set reason = 'rejected' where remote_session_id is not null and reason = 'refused';
