import type { EffectiveSetting } from './effective-setting.ts';

type Resolved = readonly EffectiveSetting[];
/** Texts of the values of a device by path; undefined = a secret, or it has a fault already. */
type Texts = ReadonlyMap<string, string | undefined>;

/**
 * Values that fit by themselves and not together are a fault of each, of whatever levels: ports that are forwarded twice, addresses outside of
 * the own network, and a rule that drops everything and so our connection.
 */
export function withoutClashes(resolved: Resolved): Resolved {
  const texts: Texts = new Map(resolved.map(({ setting, text }) => [setting.path, text]));
  const clashing = new Set([...portsTwice(resolved, texts), ...outsideOfNetwork(texts), ...lockingOut(resolved, texts)]);
  return resolved.map((effective) => {
    if (effective.text === undefined || !clashing.has(effective.setting.path)) return effective;
    return { ...effective, text: undefined, fault: { kind: 'invalid', text: effective.text } };
  });
}

/** Whether a value of this path may clash with another one. */
export function mayClash(path: string): boolean {
  return CLASHING.some((object) => path.startsWith(object));
}

const FORWARDS = 'NAT.PortMapping[name=';
const PORT = '].ExternalPort';

/** Routers have a forwarded port once. */
function portsTwice(resolved: Resolved, texts: Texts): readonly string[] {
  const forwarded = resolved.filter(({ setting: { path } }) => path.startsWith(FORWARDS) && path.endsWith(PORT));
  const keyOf = ({ setting: { path }, text }: EffectiveSetting) => {
    const protocol = texts.get(`${path.slice(0, -PORT.length)}].Protocol`);
    return text === undefined || protocol === undefined ? undefined : `${protocol} ${Number(text)}`;
  };
  return [...Map.groupBy(forwarded, keyOf)].flatMap(([key, own]) =>
    key === undefined || own.length === 1 ? [] : own.map(({ setting }) => setting.path),
  );
}

const LAN = 'IP.Interface[pool=lan].IPv4Address[at=1].';
const POOL = 'DHCPv4.Server.Pool[name=lan].';
const CLASHING = [FORWARDS, LAN, POOL, 'Firewall.'];
const ENDS = [`${POOL}MinAddress`, `${POOL}MaxAddress`] as const;

/** A mask is ones, then zeros; the range of the pool is in the network, and its first address is not after its last. */
function outsideOfNetwork(texts: Texts): readonly string[] {
  const numberAt = (path: string) => toNumber(texts.get(path));
  const [address, mask] = [numberAt(`${LAN}IPAddress`), numberAt(`${LAN}SubnetMask`)];
  if (mask !== undefined && !isMask(mask)) return [`${LAN}SubnetMask`];
  const [first, last] = ENDS.map((path) => numberAt(path));
  if (first !== undefined && last !== undefined && first > last) return ENDS;
  if (address === undefined || mask === undefined) return [];
  return ENDS.filter((path) => {
    const end = numberAt(path);
    return end !== undefined && networkOf(end, mask) !== networkOf(address, mask);
  });
}

/** Numbers of 32 bits; JavaScript's bit operators have a sign. */
const networkOf = (address: number, mask: number) => (address & mask) >>> 0;

function toNumber(text: string | undefined): number | undefined {
  return text?.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function isMask(mask: number): boolean {
  const rest = ~mask >>> 0;
  return mask !== 0 && (rest & (rest + 1)) === 0;
}

const RULE = /^Firewall\.Chain\[at=1\]\.Rule\[name=[^\]]*\]\./u;
const NARROWING = ['SourceIP', 'DestIP', 'DestPort'] as const;
/** Any protocol, and TCP. */
const OURS: readonly (string | undefined)[] = [undefined, '-1', '6'];

/** Rules that drop everything, with no rule before them that accepts anything. */
function lockingOut(resolved: Resolved, texts: Texts): readonly string[] {
  if (texts.get('Firewall.Enable') === 'false') return [];
  const rules = [...new Set(resolved.flatMap(({ setting: { path } }) => RULE.exec(path)?.[0] ?? []))]
    .filter((rule) => texts.get(`${rule}Enable`) === 'true')
    .map((rule) => ({ rule, order: Number(texts.get(`${rule}Order`)), isAccepting: texts.get(`${rule}Target`) === 'Accept' }));
  const isAll = (rule: string) =>
    OURS.includes(texts.get(`${rule}Protocol`)) && NARROWING.every((parameter) => texts.get(rule + parameter) === undefined);
  return rules
    .filter(({ rule, order, isAccepting }) => {
      const isPreceded = rules.some((other) => other.isAccepting && other.order < order);
      return !isAccepting && !isPreceded && texts.get(`${rule}Target`) !== undefined && isAll(rule);
    })
    .map(({ rule }) => `${rule}Target`);
}
