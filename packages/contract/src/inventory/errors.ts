import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'inventory.too_few': failure(
    409,
    'Not enough routers of this model are in stock. Enter a smaller number, or add routers to the inventory.',
  ),
  'inventory.serial_taken': failure(409, 'This serial number is already in the inventory.'),
  'inventory.mac_taken': failure(409, 'This MAC address is already in the inventory.'),
  'inventory.endpoint_taken': failure(409, 'This endpoint ID is already in the inventory.'),
  'inventory.taken_elsewhere': failure(
    409,
    'This router cannot be added. Its serial number, MAC address or endpoint ID is registered elsewhere.',
  ),
  'inventory.too_many_collisions': failure(
    429,
    'Too many entries match routers that are registered elsewhere. Wait an hour, or contact the operator of this server.',
  ),
  'inventory.endpoint_invalid': failure(
    400,
    'This is not a valid endpoint ID. Use the form scheme:authority:instance, for example os::00B2D0-SN0001.',
  ),
  'inventory.csr_invalid': failure(
    400,
    'This is not a valid certificate request. Send PKCS #10 in PEM, signed with its own key: EC, or RSA of at least 2,048 bits.',
  ),
  'inventory.no_certificate': failure(409, 'This router has no valid client certificate. Issue one first.'),
  'inventory.no_client_tls': failure(
    409,
    'This server does not terminate TLS itself, so it cannot check client certificates. Set TLS_CERT_FILE and TLS_KEY_FILE first.',
  ),
  'inventory.claimed': failure(409, 'This router belongs to an organization. Delete its device first.'),
} as const;
