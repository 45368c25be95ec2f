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
export { registerInventoryRoutes, type AgentAddress, type InventoryRoutesDeps } from './inventory.routes.ts';
export {
  registerRouters,
  type InventoryActor,
  type RegisteredRouter,
  type Registration,
  type RouterToRegister,
} from './register-routers.ts';
export { hashSecret, mintSecret, routerUrl } from './router-secret.ts';
