import { listSpec } from '../../ui/list/spec.ts';

/** /commands/sent: commands of routers, the newest first (LIV-09). */
export const sentList = listSpec({
  id: 'sent-commands',
  defaultSize: 10,
  sorts: [],
  fields: [],
  filters: { device: 'text', job: 'text', open: ['true'] },
});

/** /commands/passwords: devices with the passwords of their web pages (LIV-11). */
export const passwordList = listSpec({
  id: 'router-passwords',
  defaultSize: 20,
  sorts: [],
  fields: [],
  filters: { due: ['true'] },
});
