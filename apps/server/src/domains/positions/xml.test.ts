import { assert, constantFrom, array, property } from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { parseXml, type XmlElement } from './xml.ts';

/** The pieces that documents are made of, well-formed and not. */
const pieces = [
  '<a>', '</a>', '<b:c>', '</b:c>', '<a/>', '<a x="1">', "<a x='>' y = \"2\" >", '<a x="1" x="2">', '<a x=1>', '<a x>', '<a x="<">', '<ä.b-c1>',
  '</ä.b-c1>', '<1a>', '< a>', '</ a>', '</a >', '<a', '>', '/>', '"', 'text', ' ', '\n', '<!-- <a> -->', '<![CDATA[ <b> ]]>', '<?pi <a> ?>', ']]>', '&amp;',
  '<a xmlns="n" xmlns:b="m">', '<a:>', '<:a>', '<a:b:c>',
]; // prettier-ignore

const library = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  trimValues: false,
});

type Node = Readonly<Record<string, unknown>>;
type Plain = { tag: string; text: string; children: Plain[] };

function toPlain(nodes: readonly Node[]): Plain[] {
  return nodes.flatMap((node) => {
    const tag = Object.keys(node).find((key) => key !== ':@' && key !== '#text');
    if (tag === undefined) return [];
    const inner = node[tag] as readonly Node[];
    const text = inner.map((each) => (typeof each['#text'] === 'string' ? each['#text'] : '')).join('');
    return [{ tag, text, children: toPlain(inner) }];
  });
}

const namesOf = ({ name, text, children }: XmlElement): Plain => ({ tag: name, text, children: children.map(namesOf) });
const withoutPrefixes = ({ tag, text, children }: Plain): Plain => ({
  tag: tag.slice(tag.indexOf(':') + 1),
  text,
  children: children.map(withoutPrefixes),
});

test('what is read is what a library reads, and nothing is read that it rejects', () => {
  let read = 0;
  assert(
    property(array(constantFrom(...pieces), { maxLength: 12 }), (inner) => {
      const document = `<a>${inner.join('')}</a>`;
      const root = parseXml(document);
      if (root === undefined) return;
      read += 1;
      expect(XMLValidator.validate(document), document).toBe(true);
      expect([namesOf(root)], document).toEqual(toPlain(library.parse(document) as Node[]).map(withoutPrefixes));
    }),
    { numRuns: 20_000 },
  );
  expect(read).toBeGreaterThan(100);
});

test('every well-formed document is read, with namespaces and attributes', () => {
  const read = parseXml(`\uFEFF<?xml version="1.0"?>
    <!-- first --><p:presence xmlns:p="one" xmlns='two' entity="pres:a>b"><p:pos a='1'>1 <!-- and -->2</p:pos ><inner xmlns=""><deep/></inner>
      <![CDATA[<raw>]]></p:presence> `);
  expect(read).toMatchObject({
    namespace: 'one',
    name: 'presence',
    children: [
      { namespace: 'one', name: 'pos', text: '1 2', attributes: new Map([['a', '1']]) },
      { namespace: '', name: 'inner', children: [{ namespace: '', name: 'deep' }] },
    ],
  });
  expect(read!.attributes.get('entity')).toBe('pres:a>b');
  expect(read!.text.trim()).toBe('<raw>');
});

test('what is cut, open, crossed, doubled, deep or large is not', () => {
  const whole = '<a x="1"><b>2</b><!-- 3 --></a>';
  for (let length = 0; length < whole.length; length++) expect(parseXml(whole.slice(0, length))).toBeUndefined();
  for (const document of [
    '<a/><a/>',
    'a<a/>',
    '<a/>a',
    '<a><b></a></b>',
    '<![CDATA[a]]>',
    '<!DOCTYPE a><a/>',
    '<a x="1" x="2"/>',
    '<a x="1"y="2"/>',
  ])
    expect(parseXml(document), document).toBeUndefined();
  expect(parseXml('<a>'.repeat(41) + '</a>'.repeat(41))).toBeUndefined();
  expect(parseXml('<a>'.repeat(40) + '</a>'.repeat(40))).toBeDefined();
  expect(parseXml(`<a>${'<b/>'.repeat(1_000)}</a>`)).toBeUndefined();
});

test('more namespaces than 64 are not read, on one element or on many: each has those of its parent too', () => {
  const prefixes = (count: number) => Array.from({ length: count }, (_, n) => ` xmlns:p${n}="${n}"`).join('');
  expect(parseXml(`<a${prefixes(64)}/>`)).toBeDefined();
  expect(parseXml(`<a${prefixes(65)}/>`)).toBeUndefined();
  expect(parseXml(`<a${prefixes(32)}>${'<b xmlns=""/>'.repeat(32)}</a>`)).toBeDefined();
  expect(parseXml(`<a${prefixes(32)}>${'<b xmlns=""/>'.repeat(33)}</a>`)).toBeUndefined();
});
