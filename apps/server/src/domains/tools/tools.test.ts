import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { tools } from '@highline/contract';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeMac } from '@highline/usp';
import { newId } from '../../kernel/ids.ts';
import { startStrictAgent } from '../../testing/agents.ts';
import { send, until } from '../../testing/call.ts';
import { checkPcap, countedByCapinfos } from '../../testing/pcap.ts';
import { storePositions } from '../positions/index.ts';
import { openRemoteFixture, type ReachableDevice, type RemoteFixture } from '../../testing/remote-fixture.ts';
import { endOverdueRuns, purgeTools } from './tools.job.ts';
import { hashOfSecret } from './tools.service.ts';

type Run = tools.ToolRun;

const PING = { tool: 'ping', host: '127.0.0.1', ipVersion: '4', count: 2, bytes: 32 };
const DAY = 86_400_000;

describe('tests that a router runs', () => {
  let fixture: RemoteFixture;
  let device: ReachableDevice;
  beforeAll(async () => {
    fixture = await openRemoteFixture();
    device = await fixture.device();
  });
  afterAll(() => fixture.close());

  const base = '/data_manager/v1/dm';
  const get = (path: string, bearer = fixture.bearer) =>
    send(`${fixture.server.url}${base}${path}${path.includes('?') ? '&' : '?'}org=${fixture.scope.organizationId}`, { bearer });
  const run = (of: Pick<ReachableDevice, 'id'>, input: object, bearer = fixture.bearer) =>
    send(`${fixture.server.url}${base}/devices/${of.id}/tools`, { bearer, body: { org: fixture.scope.organizationId, input } });
  const started = async (of: Pick<ReachableDevice, 'id'>, input: object): Promise<Run> => {
    const response = await until(async () => {
      const answer = await run(of, input);
      // The run before has not ended.
      return answer.json<{ error?: { key: string } }>().error?.key === 'tool.running' ? undefined : answer;
    });
    return response.json<{ result: Run }>().result;
  };
  const read = async (id: string) => (await get(`/tools/${id}`)).json<{ result: { run: Run; earlier: Run[] } }>().result;
  const ended = async (id: string): Promise<Run> =>
    until(async () => {
      const { run: found } = await read(id);
      return found.state === 'running' ? undefined : found;
    });
  const done = async (of: Pick<ReachableDevice, 'id'>, input: object) => ended((await started(of, input)).id);
  const download = (id: string) =>
    fetch(`${fixture.server.url}${base}/tools/${id}/file?org=${fixture.scope.organizationId}`, {
      headers: { authorization: `Bearer ${fixture.bearer}` },
    });
  const keyOf = (response: { json<T>(): T }) => response.json<{ error: { key: string } }>().error.key;

  test('LIV-04-partial a ping over IPv4 and IPv6 is run, kept, compared with the one before, and logged', async () => {
    const first = await done(device, PING);
    const second = await done(device, { ...PING, host: '::1', ipVersion: '6' });
    expect(first.result).toMatchObject({ tool: 'ping', status: 'complete', address: '127.0.0.1', answered: 2, lost: 0 });
    expect(second.result).toMatchObject({ status: 'complete', address: '::1', answered: 2 });
    expect((await read(second.id)).earlier.map(({ id }) => id)).toEqual([first.id]);
    const { result: listed } = (await get(`/devices/${device.id}/tools?limit=2&tool=ping`)).json<{ result: Run[] }>();
    expect(listed.map(({ id }) => id)).toEqual([second.id, first.id]);
    const { rows } = await fixture.server.owner.query(
      "select action from audit_entries where subject_id = $1 and action like 'Ran %' order by seq desc limit 1",
      [device.id],
    );
    expect(rows).toEqual([{ action: `Ran a ping on device ${device.serial}` }]);
  });

  test('LIV-04-partial a traceroute lists hops, and a lookup says that a DNS server is silent', async () => {
    const route = await done(device, { tool: 'traceroute', host: '127.0.0.1', ipVersion: 'any', hops: 4 });
    expect(route.result).toMatchObject({ status: 'complete', hops: [{ address: '127.0.0.1' }] });
    const lookup = await done(device, { tool: 'dns', host: 'depot.example', server: '127.0.0.1:9' });
    expect(lookup.result).toMatchObject({ tool: 'dns', status: 'complete', answers: [{ status: 'no-server' }] });
  });

  test('LIV-05-partial a speed test transfers exactly its bytes from and to us, and each address works once', async () => {
    const down = await done(device, { tool: 'download', bytes: 1_000_000 });
    expect(down.result).toMatchObject({ tool: 'download', status: 'complete', transferred: 1_000_000 });
    const up = await done(device, { tool: 'upload', bytes: 1_000_000 });
    expect(up.result).toMatchObject({ tool: 'upload', status: 'complete', transferred: 1_000_000 });
    for (const { result } of [down, up])
      expect(result !== null && 'bitsPerSecond' in result && result.bitsPerSecond).toBeGreaterThan(0);
    expect((await run(device, { tool: 'download', bytes: 2_000_000_000 })).status).toBe(400);
  });

  test('LIV-05-partial measured speeds are listed with where the vehicle was, if that is known', async () => {
    const tested = await fixture.scripted();
    const { owner } = fixture.server;
    const place = { latitude: 41.9, longitude: -87.7 };
    const insert = async (at: string, result: object) => {
      const id = newId(Date.parse(at));
      await owner.query(
        `insert into tool_runs (organization_id, id, device_id, router_id, tool, input, state, result, started_by, created_at, ended_at, ends_by)
         values ($1, $2, $3, $4, 'download', '{"tool":"download","bytes":1000000}', 'done', $5, 'x', $6, $6, $6)`,
        [fixture.scope.organizationId, id, tested.id, tested.routerId, JSON.stringify({ tool: 'download', ...result }), at],
      );
      return id;
    };
    const [now, earlier] = [new Date().toISOString(), new Date(Date.now() - 3_600_000).toISOString()];
    const bitsPerSecond = 8_000_000;
    const far = await insert(earlier, { status: 'complete', bitsPerSecond });
    const near = await insert(now, { status: 'complete', bitsPerSecond });
    await insert(now, { status: 'no-connection', bitsPerSecond: null });
    // Those nearest in time before and after.
    const fix = (minutes: number, speed: number | null) => ({
      routerId: tested.routerId,
      at: (Math.floor(Date.parse(now) / 60_000) + minutes) * 60_000,
      latitude: place.latitude + (minutes + 1) / 1_000,
      longitude: place.longitude,
      speed,
      heading: null,
      accuracy: null,
    });
    // The earlier one was made twelve minutes after the vehicle had stopped, and eight after it drove.
    const fixes = [fix(-72, 0), fix(-68, 40), fix(-4, null), fix(-1, null), fix(3, null)];
    await fixture.server.database.write((tx) => storePositions(tx, fixes.slice(0, 1), new Date(now)));
    const read = async () => (await get(`/devices/${tested.id}/tools/speeds`)).json<{ result: tools.MeasuredSpeed[] }>().result;
    const parked = { latitude: fixes[0]!.latitude, longitude: place.longitude };
    // Where it was before the organization had its router is not shown.
    expect((await read()).map(({ place: where }) => where)).toEqual([null, null]);
    await owner.query(`update router_ownership set owned_from = now() - interval '1 day' where router_id = $1`, [
      tested.routerId,
    ]);
    expect((await read()).map(({ place: where }) => where)).toEqual([null, parked]);
    await fixture.server.database.write((tx) => storePositions(tx, fixes.slice(1), new Date(now)));
    expect(await read()).toEqual([
      { run: near, tool: 'download', at: now, bitsPerSecond, place },
      { run: far, tool: 'download', at: earlier, bitsPerSecond, place: null },
    ]);
    expect((await get(`/devices/${newId()}/tools/speeds`)).status).toBe(404);
  });

  test('LIV-05-partial with one percent of the plan left a larger test is not started, and a smaller one is', async () => {
    const { owner } = fixture.server;
    const { organizationId } = fixture.scope;
    const limited = await fixture.device();
    const plan = newId();
    const iccid = await until(async () => {
      const { rows } = await owner.query('select iccid from devices where id = $1 and iccid is not null', [limited.id]);
      return rows[0]?.iccid as string | undefined;
    });
    // 200 MB, of which 2 MB are left.
    await owner.query(
      `insert into usage_plans (organization_id, id, name, allowance, is_pool, cycle_day, applies_to, shares, action, actor)
       values ($1, $2, 'Small', 200000000, false, 1, 'chosen', '{80}', 'mail', '{}')`,
      [organizationId, plan],
    );
    await owner.query(
      `insert into usage_sims (organization_id, iccid, plan_id, chosen_plan_id, cycle_day) values ($1, $2, $3, $3, 1)
       on conflict (organization_id, iccid) do update set plan_id = excluded.plan_id, chosen_plan_id = excluded.plan_id`,
      [organizationId, iccid, plan],
    );
    await owner.query(
      `insert into usage_cycles (organization_id, iccid, cycle_from, device_id, sent, received)
       values ($1, $2, usage_cycle(current_date, 1, 0), $3, 100000000, 98000000)
       on conflict (organization_id, cycle_from, iccid, device_id) do update set sent = excluded.sent, received = excluded.received`,
      [organizationId, iccid, limited.id],
    );
    expect(keyOf(await run(limited, { tool: 'download', bytes: 5_000_000 }))).toBe('tool.plan_used_up');
    expect((await get(`/devices/${limited.id}/tools`)).json<{ result: Run[] }>().result).toEqual([]);
    expect((await done(limited, { tool: 'download', bytes: 1_000_000 })).result).toMatchObject({ transferred: 1_000_000 });
  });

  test('LIV-06-partial a capture and a log arrive as files, whose download is logged', async () => {
    const captured = await done(device, { tool: 'capture', seconds: 1, bytes: 100_000 });
    expect(captured.result).toMatchObject({ tool: 'capture', status: 'complete' });
    const file = await download(captured.id);
    expect(file.headers.get('content-disposition')).toMatch(/\.pcap"/u);
    const contents = Buffer.from(await file.arrayBuffer());
    expect(contents.length).toBe(captured.file?.bytes);
    const packets = checkPcap(contents);
    expect(captured.result).toMatchObject({ packets });
    expect(countedByCapinfos(contents) ?? packets).toBe(packets);
    const log = await done(device, { tool: 'log' });
    expect((await get(`/tools/${log.id}/file`)).text).toContain('link: connected to the cloud');
    const { rows } = await fixture.server.owner.query(
      "select action from audit_entries where subject_id = $1 and action like 'Downloaded %' order by seq",
      [device.id],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      `Downloaded the file of a packet capture of device ${device.serial}`,
      `Downloaded the file of an upload of its log of device ${device.serial}`,
    ]);
  });

  test('LIV-04-partial what the agent lacks is not offered, and fails with the reason', async () => {
    const offered = (of: Pick<ReachableDevice, 'id'>) => get(`/devices/${of.id}/tools/offered`);
    expect((await offered(device)).json()).toEqual({ result: [...tools.toolKinds] });
    const plain = await fixture.scripted({ onOrder: () => ({ code: 7026, message: 'no such path' }) });
    expect((await run(plain, PING)).json()).toMatchObject({
      result: { state: 'failed', failure: { cause: 'unsupported', message: 'no such path' }, result: null },
    });
  });

  test('LIV-04-partial LIV-05-partial a plainer agent runs what its data model has', async () => {
    const { server, main, scope } = fixture;
    const [router] = await server.seeding.routers(main, [{ serial: 'PLAIN1', mac: makeMac(0xeef001) }]);
    const [id] = await server.seeding.devices(scope, [{ serial: router!.serial, mac: router!.mac }]);
    const agent = startStrictAgent(server.url.replace('http', 'ws'), router!, { hasDiagnostics: true });
    const plain = { id: id! };
    await until(async () => {
      const { rows } = await server.owner.query('select presence from devices where id = $1', [id]);
      return rows[0].presence === 'online';
    });
    expect((await get(`/devices/${plain.id}/tools/offered`)).json()).toEqual({ result: ['ping', 'download'] });
    expect((await done(plain, PING)).result).toMatchObject({ status: 'complete', answered: 2, lost: 0 });
    expect((await done(plain, { tool: 'download', bytes: 1_000_000 })).result).toMatchObject({ transferred: 1_000_000 });
    const lacking = await done(plain, { tool: 'log' });
    expect(lacking.failure?.cause).toBe('unsupported');
    await agent.stop();
  });

  test('LIV-04-partial one of a kind runs at once, and a run without an end fails at its time limit', async () => {
    const { owner, database } = fixture.server;
    const other = await fixture.scripted();
    const id = newId();
    const insert = `insert into tool_runs (organization_id, id, device_id, router_id, tool, input, started_by, created_at, ends_by)
      values ($1, $2, $3, $4, 'ping', $5, 'x', now(), now() + interval '1 minute')`;
    await owner.query(insert, [fixture.scope.organizationId, id, other.id, other.routerId, JSON.stringify(PING)]);
    expect(keyOf(await run(other, PING))).toBe('tool.running');
    await endOverdueRuns(database, new Date());
    expect((await read(id)).run.state).toBe('running');
    await endOverdueRuns(database, new Date(Date.now() + 61_000));
    expect((await read(id)).run).toMatchObject({ state: 'failed', failure: { cause: 'no-end' } });
  });

  test('LIV-04-partial nothing is sent to an offline router, and foreign ids do not exist', async () => {
    expect(keyOf(await run({ id: newId() }, PING))).toBe('not_found');
    expect((await get(`/tools/${newId()}`)).status).toBe(404);
    expect((await get('/tools/nonsense/file')).status).toBe(404);
    const off = await fixture.scripted();
    await off.router.stop();
    await until(async () => {
      const { rows } = await fixture.server.owner.query('select presence from devices where id = $1', [off.id]);
      return rows[0].presence === 'offline' || undefined;
    });
    expect(keyOf(await run(off, PING))).toBe('router.not_connected');
  });

  test('LIV-06-partial a capture that a power cut interrupts is reported as that, and the next one runs', async () => {
    const cut = await fixture.device();
    const { id } = await started(cut, { tool: 'capture', seconds: 60, bytes: 100_000 });
    cut.agent.powerCut(100);
    expect(await ended(id)).toMatchObject({ state: 'failed', failure: { cause: 'interrupted' }, file: null });
    await until(async () => {
      const { rows } = await fixture.server.owner.query('select presence from devices where id = $1', [cut.id]);
      return rows[0].presence === 'online' || undefined;
    });
    expect((await done(cut, { tool: 'capture', seconds: 1, bytes: 10_000 })).state).toBe('done');
  });

  test('LIV-06-partial a router that starts and does not say what it could not end has 20 seconds', async () => {
    const { owner, database } = fixture.server;
    const other = await fixture.scripted();
    const id = newId();
    await owner.query(
      `insert into tool_runs (organization_id, id, device_id, router_id, tool, input, started_by, created_at, ends_by)
        values ($1, $2, $3, $4, 'capture', '{"tool":"capture","seconds":60,"bytes":10000}', 'x', now(), now() + interval '5 minutes')`,
      [fixture.scope.organizationId, id, other.id, other.routerId],
    );
    await owner.query(
      `update routers set reported = reported || jsonb_build_object('boot_heard_at', now(), 'booted_at', now()) where id = $1`,
      [other.routerId],
    );
    await endOverdueRuns(database, new Date());
    expect((await read(id)).run.state).toBe('running');
    await endOverdueRuns(database, new Date(Date.now() + 25_000));
    expect((await read(id)).run).toMatchObject({ state: 'failed', failure: { cause: 'interrupted' } });
  });

  test('LIV-06-partial the support bundle has what is stored of the device, and no secret', async () => {
    await fixture.server.owner.query(
      `insert into device_diagnoses (organization_id, main_account_id, device_id, kind, number, is_first, since, computed_at, evidence)
        select organization_id, main_account_id, id, 'drops', 1, true, now(), now(),
          '{"kind":"drops","losses":4,"place":{"latitude":41.8757,"longitude":-87.6244,"losses":3}}' from devices where id = $1`,
      [device.id],
    );
    const response = await fetch(
      `${fixture.server.url}${base}/devices/${device.id}/support-bundle?days=2&org=${fixture.scope.organizationId}`,
      { headers: { authorization: `Bearer ${fixture.bearer}` } },
    );
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    const linesOf = (name: string) => strFromU8(files[`${name}.jsonl`]!).split('\n').filter(Boolean);
    expect(linesOf('device').map((line) => JSON.parse(line))).toMatchObject([{ serial: device.serial, presence: 'online' }]);
    const parts = [
      'device',
      'diagnoses',
      'connections',
      'facts',
      'readings',
      'events',
      'networks',
      'settings',
      'outages',
      'data-used',
    ];
    const named = [...parts, 'esims', 'commands', 'alerts', 'log', 'remote-sessions', 'rollouts', 'tests'].map(
      (name) => `${name}.jsonl`,
    );
    expect(Object.keys(files)).toEqual(named);
    // Neither who is connected nor where the vehicle was.
    expect(linesOf('diagnoses').join('')).toMatch(/"losses": ?4/u);
    expect(linesOf('diagnoses').join('')).not.toContain('41.8757');
    expect(linesOf('networks').every((line) => ['uplinks', 'wifi'].includes(JSON.parse(line).name))).toBe(true);
    expect(linesOf('tests').length).toBeGreaterThan(0);
    expect(linesOf('log').join('')).toContain(`Ran a ping on device ${device.serial}`);
    expect(linesOf('connections').length).toBeGreaterThan(0);
    const { rows } = await fixture.server.owner.query('select * from routers where serial = $1', [device.serial]);
    const hashes = Object.values(rows[0]).flatMap((value) => (value instanceof Buffer ? [value.toString('hex')] : []));
    const all = Object.keys(files)
      .map((name) => strFromU8(files[name]!))
      .join('');
    for (const hash of hashes) expect(all).not.toContain(hash);
    expect((await get(`/devices/${newId()}/support-bundle`)).status).toBe(404);
  });

  test('LIV-06-partial no secret of the server, of the router or of a person is in the support bundle', async () => {
    const { owner } = fixture.server;
    const response = await fetch(
      `${fixture.server.url}${base}/devices/${device.id}/support-bundle?days=30&org=${fixture.scope.organizationId}`,
      { headers: { authorization: `Bearer ${fixture.bearer}` } },
    );
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    const all = Object.values(files).map((file) => Buffer.from(file).toString('latin1'));
    // Every value of every column that holds a hash, a key, a sealed text or a password, of any table.
    const { rows: columns } = await owner.query<{ table: string; name: string }>(
      `select table_name as table, column_name as name from information_schema.columns where table_schema = 'public'
         and (data_type = 'bytea' or column_name ~ '(secret|password|hash|sealed|token|key_id)') and table_name not like '%20%'`,
    );
    expect(columns.length).toBeGreaterThan(10);
    for (const { table, name } of columns) {
      const { rows } = await owner.query(
        `select distinct "${name}" as value from "${table}" where "${name}" is not null limit 1000`,
      );
      const texts = rows.flatMap(({ value }: { value: unknown }) =>
        Buffer.isBuffer(value) ? [value.toString('hex'), value.toString('base64')] : typeof value === 'string' ? [value] : [],
      );
      for (const text of texts.filter(({ length }) => length >= 12))
        expect(
          all.some((file) => file.includes(text)),
          `${table}.${name}`,
        ).toBe(false);
    }
  });

  test('LIV-04-partial results are deleted after 90 days, files after 7', async () => {
    const { database } = fixture.server;
    const { id } = await done(device, { tool: 'log' });
    await purgeTools(database, new Date(Date.now() + 8 * DAY));
    expect((await read(id)).run.file).toBeNull();
    expect(keyOf(await get(`/tools/${id}/file`))).toBe('tool.no_file');
    await purgeTools(database, new Date(Date.now() + 91 * DAY));
    expect((await get(`/tools/${id}`)).status).toBe(404);
  });

  describe('one-time addresses', () => {
    const secret = (letter: string) => letter.repeat(43);
    const insert = async (letter: string, input: tools.ToolInput, more = "now() + interval '1 minute'") => {
      const { owner } = fixture.server;
      const plain = await fixture.scripted();
      const id = newId();
      await owner.query(
        `insert into tool_runs (organization_id, id, device_id, router_id, tool, input, started_by, created_at, ends_by, address_hash)
          values ($1, $2, $3, $4, $5, $6, 'x', now(), ${more}, $7)`,
        [
          fixture.scope.organizationId,
          id,
          plain.id,
          plain.routerId,
          input.tool,
          JSON.stringify(input),
          hashOfSecret(secret(letter)),
        ],
      );
      return id;
    };
    const put = (letter: string, body: Uint8Array<ArrayBuffer>) =>
      fetch(`${fixture.server.url}/transfers/${secret(letter)}`, { method: 'PUT', body });

    test('LIV-06-partial take one upload, up to the limit of the run, and then none', async () => {
      const id = await insert('a', { tool: 'capture', seconds: 1, bytes: 10_000 });
      expect((await put('a', new Uint8Array(9_000))).status).toBe(204);
      expect((await read(id)).run.file?.bytes).toBe(9_000);
      // Its answer was lost.
      expect((await put('a', new Uint8Array(9_000))).status).toBe(204);
      expect((await put('a', new Uint8Array(9_001))).status).toBe(404);
      expect((await read(id)).run.file?.bytes).toBe(9_000);
      expect((await put('z', new Uint8Array(1))).status).toBe(404);
      expect((await fetch(`${fixture.server.url}/transfers/short`)).status).toBe(404);
    });

    test('LIV-05-partial LIV-06-partial none waits for another, in as many runs as an organization may have', async () => {
      const letters = Array.from({ length: tools.MOST_RUNNING_TOOLS }, (_, at) => String.fromCodePoint(65 + at));
      const bytes = 5_000_000;
      const begun = await Promise.all(
        letters.map(async (letter, at) => {
          const id = await insert(letter, at % 2 === 0 ? { tool: 'upload', bytes } : { tool: 'capture', seconds: 1, bytes });
          return { id, sending: beginUpload(`${fixture.server.url}/transfers/${secret(letter)}`, bytes) };
        }),
      );
      const { owner } = fixture.server;
      await until(async () => {
        const ids = begun.map(({ id }) => id);
        const { rows } = await owner.query('select id from tool_runs where id = any($1) and address_used_at is not null', [ids]);
        // The address of a capture is used once its file is there.
        return rows.length === begun.length / 2 || begun.some(({ sending }) => sending.isAnswered);
      });
      expect(await Promise.all(begun.map(({ sending }) => sending.end()))).toEqual(letters.map(() => 204));
    });

    test('LIV-06-partial keep at most 300 MB of all organizations in memory: a router is rejected until there is space, and a person before that', async () => {
      await endOverdueRuns(fixture.server.database, new Date(Date.now() + 61_000));
      const first = await insert('v', { tool: 'capture', seconds: 1, bytes: 300_000_000 });
      const id = await insert('w', { tool: 'capture', seconds: 1, bytes: 10_000 });
      await insert('u', { tool: 'capture', seconds: 1, bytes: 10_000 });
      const begin = () => beginUpload(`${fixture.server.url}/transfers/${secret('v')}`);
      let sending = begin();
      await until(async () => {
        // It may have come while the small one had memory.
        if (sending.isAnswered) sending = begin();
        return (await put('u', new Uint8Array(9_000))).status === 503;
      });
      expect((await put('w', new Uint8Array(9_000))).status).toBe(503);
      const rejected = await run(device, { tool: 'capture', seconds: 1, bytes: 10_000 });
      expect(rejected.json<{ error: object }>().error).toEqual({
        code: 503,
        key: 'tool.too_many_files',
        message: 'Too many packet captures and logs arrive at this server at once. Try again in a few minutes.',
      });
      expect((await run(device, PING)).status).toBe(200);
      sending.breakOff();
      await until(async () => (await put('w', new Uint8Array(9_000))).status === 204);
      expect((await read(id)).run.file?.bytes).toBe(9_000);
      // What broke off has left no file, and its router sends it again.
      const kept = async () =>
        (await fixture.server.owner.query('select length(contents) as bytes from tool_files where run_id = $1', [first])).rows;
      expect(await kept()).toEqual([]);
      expect((await put('v', new Uint8Array(9_000))).status).toBe(204);
      expect(await kept()).toEqual([{ bytes: 9_000 }]);
      await endOverdueRuns(fixture.server.database, new Date(Date.now() + 61_000));
    });

    test('LIV-06-partial reject 2 GB that are announced, and cut off what arrives beyond the limit', async () => {
      const id = await insert('b', { tool: 'capture', seconds: 1, bytes: 10_000 });
      expect(await statusOfAnnounced(`${fixture.server.url}/transfers/${secret('b')}`, 2_000_000_000)).toBe(413);
      const other = await insert('c', { tool: 'capture', seconds: 1, bytes: 10_000 });
      expect((await put('c', new Uint8Array(10_001))).status).toBe(413);
      for (const run of [id, other]) expect((await read(run)).run.file).toBeNull();
    });

    test('LIV-06-partial a capture that never ends fails at its time limit, and what it sends then is not taken', async () => {
      const id = await insert('n', { tool: 'capture', seconds: 1, bytes: 10_000 });
      await endOverdueRuns(fixture.server.database, new Date(Date.now() + 61_000));
      expect((await read(id)).run).toMatchObject({ state: 'failed', failure: { cause: 'no-end' } });
      expect((await put('n', new Uint8Array(10))).status).toBe(404);
    });

    test('LIV-06-partial end with the run and with its time, and serve no other kind', async () => {
      await insert('d', { tool: 'log' }, "now() - interval '1 second'");
      expect((await put('d', new Uint8Array(10))).status).toBe(404);
      await insert('e', { tool: 'download', bytes: 1_000_000 });
      expect((await put('e', new Uint8Array(10))).status).toBe(404);
      const file = await fetch(`${fixture.server.url}/transfers/${secret('e')}`);
      expect((await file.arrayBuffer()).byteLength).toBe(1_000_000);
      expect((await fetch(`${fixture.server.url}/transfers/${secret('e')}`)).status).toBe(404);
    });

    test('LIV-06-partial an upload that is begun again replaces the one whose connection was lost', async () => {
      const id = await insert('f', { tool: 'log' });
      const lost = beginUpload(`${fixture.server.url}/transfers/${secret('f')}`, 100_000);
      await until(async () => {
        const { status } = await put('f', new Uint8Array(1_000));
        return status === 204 && lost.isClosed;
      });
      expect(lost.isAnswered).toBe(false);
      expect((await read(id)).run.file?.bytes).toBe(1_000);
    });
  });
});

/** Announce a body, send its first byte, and return the answer. */
async function statusOfAnnounced(url: string, bytes: number): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const sending = request(url, { method: 'PUT', headers: { 'content-length': bytes } }, (response) => {
    resolve(response.statusCode);
    sending.destroy();
  });
  sending.on('error', reject);
  sending.write('x');
  return promise;
}

interface BegunUpload {
  readonly isAnswered: boolean;
  readonly isClosed: boolean;
  /** Sends the rest, and returns the answer. */
  end(): Promise<number | undefined>;
  breakOff(): void;
}

/** Announce a body and send its first byte. @param bytes left out = it may have the most that is accepted */
function beginUpload(url: string, bytes?: number): BegunUpload {
  const headers = bytes === undefined ? {} : { 'content-length': bytes };
  const sending = request(url, { method: 'PUT', headers, agent: false });
  const responded = once(sending, 'response') as Promise<[IncomingMessage]>;
  let isAnswered = false;
  responded.then(
    () => (isAnswered = true),
    () => undefined,
  );
  sending.on('error', () => undefined);
  sending.write('x');
  return {
    get isAnswered() {
      return isAnswered;
    },
    get isClosed() {
      return sending.closed;
    },
    breakOff: () => void sending.destroy(),
    async end() {
      sending.end(Buffer.alloc((bytes ?? 1) - 1));
      const [response] = await responded;
      response.resume();
      return response.statusCode;
    },
  };
}
