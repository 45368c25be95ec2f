export type { AdmittedRouter } from './admission.ts';
export {
  assignRouters,
  findRouters,
  storedNames,
  storedSerials,
  listFreeRouters,
  lockRoutersInOrder,
  lockUnclaimed,
  reassignRouters,
  releaseRouters,
  type ClaimableRouter,
} from './claiming.ts';
export { udidColumn } from './endpoint-id.ts';
export { createAuthoritySealing } from './certificates/certificates.service.ts';
export { removeRouters } from './inventory-removal.ts';
export { type ClientTls } from './inventory.service.ts';
export { endpointIdsOf, fingerprintOf } from './certificates/certificate-authority.ts';
export { listAuthorities } from './certificates/certificates.store.ts';
export type { CertifiedRouter, PresentedCertificate } from './certificates/certified-routers.ts';
export { createRouterCredentials, type RouterCredentials } from './credentials.ts';
export { readModelSeconds } from './model-settings.ts';
export { isCurrentRejection, isRejectedConnection, readRejection, rejectionOfDevice } from './rejection.queries.ts';
export { createRejections, type RejectedConnection, type Rejections } from './rejections.ts';
export { findOwnersAt } from './report-owners.ts';
export { registerRouters, type RegisteredRouter, type RouterToRegister } from './register-routers.ts';
export { agentSettings, hashRouterSecret, mintSecret, type AgentAddress } from './router-secret.ts';
export { inventoryModule } from './module.ts';
