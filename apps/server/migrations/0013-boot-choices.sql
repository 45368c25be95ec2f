-- Firmware that a router has chosen for its next boot by a binding that has ended: it is to choose what it runs again (GRP-10).
create table boot_choices (
  router_id uuid primary key references routers on delete cascade,
  -- Path of the FirmwareImage that was chosen.
  slot text collate "C" not null,
  -- When the router is to be asked; null = when it comes.
  due_at timestamptz
);
create index boot_choices_due on boot_choices (due_at) where due_at is not null;

grant select, insert, update, delete on boot_choices to highline_serve;
