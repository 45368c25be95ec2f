-- The state of a remote session whose credentials were shown is 'viewed', as the timeline and its texts call it.
update router_events set state = 'viewed' where remote_session_id is not null and state = 'told';
