import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ScimFailure } from './failure.ts';
import { isRecord } from './stored-values.ts';
import { describeSchema, describeType, serviceProviderConfig } from './descriptions.ts';
import { enterpriseSchema, groupSchema, groupType, MESSAGES, userSchema, userType } from './schemas.ts';

export const MEDIA_TYPE = 'application/scim+json; charset=utf-8';

export interface IdRoute {
  Params: { id: string };
}

export function registerDiscovery(routes: FastifyInstance): void {
  const send = (reply: FastifyReply, body: unknown) => reply.type(MEDIA_TYPE).send(JSON.stringify(body));
  const all = (resources: readonly unknown[]) => ({
    schemas: [`${MESSAGES}:ListResponse`],
    totalResults: resources.length,
    startIndex: 1,
    itemsPerPage: resources.length,
    Resources: resources,
  });
  const described = [
    { url: '/Schemas', resources: [userSchema, enterpriseSchema, groupSchema].map(describeSchema) },
    { url: '/ResourceTypes', resources: [userType, groupType].map(describeType) },
  ];
  routes.get('/ServiceProviderConfig', async (request, reply) => {
    rejectFilter(request);
    return send(reply, serviceProviderConfig);
  });
  for (const { url, resources } of described) {
    routes.get(url, async (request, reply) => {
      rejectFilter(request);
      return send(reply, all(resources));
    });
    routes.get<IdRoute>(`${url}/:id`, async ({ params }, reply) => {
      const found = resources.find(({ id }) => id.toLowerCase() === params.id.toLowerCase());
      if (found === undefined) throw new ScimFailure(404, 'There is nothing at this address.');
      return send(reply, found);
    });
  }
}

/** RFC 7644, 4: what describes the server is not searched. */
function rejectFilter({ query }: FastifyRequest): void {
  if (isRecord(query) && query['filter'] !== undefined) throw new ScimFailure(403, 'There is no filter here.');
}
