export { admitRouters, type AdmittedRouter } from './admission.ts';
export {
  assignRouters,
  findRouters,
  listFreeRouters,
  lockRoutersInOrder,
  lockUnclaimed,
  reassignRouters,
  releaseRouters,
  type ClaimableRouter,
  type RouterClaim,
} from './claiming.ts';
export { udidColumn } from './endpoint-id.ts';
export { registerInventoryRoutes, type InventoryRoutesDeps } from './inventory.routes.ts';
export { readRejection } from './rejection.queries.ts';
export { createRejections, type Rejection, type Rejections } from './rejections.ts';
export {
  registerRouters,
  type InventoryActor,
  type RegisteredRouter,
  type Registration,
  type RouterToRegister,
} from './register-routers.ts';
export { agentSettings, hashSecret, mintSecret, type AgentAddress } from './router-secret.ts';
