import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Allowance, networkOf } from '../upgrades/index.ts';
import type { CellLookup } from './cell-lookup.ts';
import { languageOf, signInPage, type PageProblem } from './page.ts';

export interface SignInPageDeps {
  readonly directory: Pick<CellLookup, 'cellOfEmail'>;
  /** Origins that the form may lead to. */
  readonly cells: readonly string[];
}

/** Addresses in a row, by network. */
const TRIES = 30;
/** Seconds until one more is allowed. */
const AGAIN_SECONDS = 2;

const formSchema = z.object({ email: z.string().trim().max(320).pipe(z.email()) });

/**
 * The page that asks for the e-mail address and leads to the sign-in page of its cell. An unknown address leads to a cell as well,
 * so that the response does not reveal which addresses are known. The address travels in the fragment, which no server logs.
 */
export function registerSignInPage(app: FastifyInstance, { directory, cells }: SignInPageDeps): void {
  const tries = new Allowance(TRIES);
  // Browsers apply form-action to the redirect after the form too.
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `form-action 'self' ${cells.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const show = (request: FastifyRequest, reply: FastifyReply, status: number, problem?: PageProblem) =>
    reply
      .code(status)
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .header('vary', 'accept-language')
      .type('text/html; charset=utf-8')
      .send(signInPage(languageOf(request.query, request.headers['accept-language']), problem));

  app.get('/', (request, reply) => show(request, reply, 200));
  app.get('/login', (request, reply) => show(request, reply, 200));
  app.post('/sign-in', async (request, reply) => {
    const now = performance.now();
    const network = networkOf(request.ip);
    if (tries.isSpent(network, now)) return show(request, reply.header('retry-after', AGAIN_SECONDS), 429, 'too-many');
    tries.spend(network, now);
    const form = formSchema.safeParse(request.body);
    if (!form.success) return show(request, reply, 400, 'email');
    const origin = await directory.cellOfEmail(form.data.email);
    return reply
      .header('cache-control', 'no-store')
      .header('content-security-policy', policy)
      .redirect(`${origin}/login#email=${encodeURIComponent(form.data.email)}`, 303);
  });
}
