-- The model of routers that were added without one, as they have reported it; from now on it is stored with the report.
update routers set model = reported ->> 'model' where model = '' and reported ->> 'model' <> '';
