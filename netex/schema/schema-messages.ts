/**
 * Turns libxml2's message on a breach of the XSD into a readable sentence: the element, the value found, the value
 * expected. Leaves out namespaces, type system vocabulary and facet names.
 *
 * Callers: the schema check. The patterns below match libxml2 2.15; a test breaks each rule of the XSD once.
 */

/** The surroundings of an error, as the streaming pass knows them. */
export interface Surroundings {
  readonly name: string;
  readonly id: string | undefined;
  /** The parent element, with its id if it has one. */
  readonly parent: { readonly name: string; readonly id: string | undefined } | undefined;
}

const LISTED_CHOICES = 10;
const SUBJECT = /^Element '([^']*)'(?:, attribute '([^']*)')?: /;

/** `subject` is the faulty attribute, if any, else the element; `owner` is always the element. */
type Phrase = (parts: readonly string[], subject: string, where: string, owner: string) => string;

const PHRASES: ReadonlyArray<readonly [RegExp, Phrase]> = [
  [
    /\[facet 'enumeration'\] The value '(.*)' is not an element of the set \{(.*)\}\.$/s,
    ([value = '', set = ''], subject, where) =>
      `${subject} '${value}' is not allowed${where}; allowed ${list(quoted(set), 'is', 'are')}.`,
  ],
  [
    /\[facet 'pattern'\] The value '(.*)' is not accepted by the pattern '(.*)'\.$/s,
    ([value, pattern], subject, where) => `${subject} '${value}'${where} does not have the form ${pattern}.`,
  ],
  [
    /\[facet '(minLength|maxLength|length)'\] The value(?: '.*')? has a length of '(\d+)'; .* of '(\d+)'\.$/s,
    ([facet, actual, limit], subject, where) =>
      `${subject}${where} has ${actual} characters; ${facet === 'minLength' ? 'at least' : facet === 'maxLength' ? 'at most' : 'exactly'} ${limit} are expected.`,
  ],
  [
    /\[facet '(min|max)(In|Ex)clusive'\] The value '(.*)' (?:is|must be) .*?\(?'([^']*)'\)?\.$/s,
    ([side, kind, value, limit], subject, where) =>
      `${subject} '${value}'${where} is out of range; it must be ${range(side, kind)} ${limit}.`,
  ],
  [
    /\[facet '(total|fraction)Digits'\] The value '(.*)' has more .* than are allowed \('?(\d+)'?\)\.$/s,
    ([kind, value, limit], subject, where) =>
      `${subject} '${value}'${where} has too many ${kind === 'total' ? 'digits' : 'decimals'}; at most ${limit} are allowed.`,
  ],
  [
    /^'(.*)' is not a valid value of the (?:local )?(?:atomic|list|union) type(?: '(.*)')?\.$/s,
    ([value, type], subject, where) => `${subject} '${value}'${where} is not ${describeType(type)}.`,
  ],
  [
    /^This element is not expected\.(?: Expected is (?:one of )?\( (.*) \)\.)?$/s,
    ([expected], subject, where) =>
      `${subject} is not expected here${where}${expected ? `; expected ${list(names(expected), 'is', 'is one of')}` : ''}.`,
  ],
  [
    /^Missing child element\(s\)\.(?: Expected is (?:one of )?\( (.*) \)\.)?$/s,
    ([expected], subject, where) =>
      `${subject}${where} is not complete${expected ? `; it lacks ${list(names(expected), '', 'one of').trim()}` : ''}.`,
  ],
  [
    /^The attribute '(.*)' is required but missing\.$/,
    ([name = ''], _, where, owner) => `Attribute '${plainName(name)}' is missing on ${owner}${where}.`,
  ],
  [
    /^The attribute '(.*)' is not allowed\.$/,
    ([name = ''], _, where, owner) => `Attribute '${plainName(name)}' is not allowed on ${owner}${where}.`,
  ],
  [
    /^(?:Character content|Element content) .*not allowed.*(?:content type is empty|type definition is empty)/s,
    (_, subject, where) => `${subject}${where} must be empty.`,
  ],
  [
    /^Element content is not allowed/s,
    (_, subject, where) => `${subject}${where} may hold text only, no other elements.`,
  ],
  [/^Character content /s, (_, subject, where) => `${subject}${where} may hold other elements only, no text.`],
  [
    /^No matching global (?:element )?declaration available/s,
    (_, subject) =>
      `${subject} cannot be the outermost element; PublicationDelivery in the namespace http://www.netex.org.uk/netex is expected.`,
  ],
  [
    /^The (?:element declaration|type definition) is abstract\.$/,
    (_, subject, where) => `${subject}${where} cannot be used itself; only its more specific kinds can.`,
  ],
  [
    /^Duplicate key-sequence \[(.*)\] in (?:unique|key) identity-constraint/s,
    ([values = ''], subject, where) => `${subject}${where} repeats ${quoted(values).join(', ')}, which must be unique.`,
  ],
  [
    /^No match found for key-sequence \[(.*)\] of keyref/s,
    ([values = ''], subject, where) => `${subject}${where} refers to ${quoted(values).join(', ')}, which is not there.`,
  ],
  [
    /^Not all fields of key identity-constraint/s,
    (_, subject, where) => `${subject}${where} lacks a value that identifies it.`,
  ],
  [
    /^The QName value '(.*)' .*xsi:type/s,
    ([value = ''], _, where, owner) => `The xsi:type '${plainName(value)}' of ${owner}${where} names no known type.`,
  ],
  [
    /does not match the fixed value constraint '(.*)'\.$/s,
    ([value], subject, where) => `${subject}${where} must be '${value}'.`,
  ],
  [/nillable|'nilled'/s, (_, subject, where) => `${subject}${where} cannot be marked as nil.`],
];

/** A sentence about one breach. `message` is libxml2's. */
export function describeBreach(message: string, at: Surroundings | undefined): string {
  const text = message.trim();
  const match = SUBJECT.exec(text);
  const rest = match ? text.slice(match[0].length) : text;
  const element = withNamespace(at?.name ?? '') || plainName(match?.[1] ?? 'An element');
  const attribute = match?.[2];
  const owner = at?.id === undefined ? element : `${element} '${at.id}'`;
  const parent = at?.parent && (at.parent.id === undefined ? at.parent.name : `${at.parent.name} '${at.parent.id}'`);
  const subject = attribute === undefined ? owner : `Attribute '${plainName(attribute)}' of ${owner}`;
  const where = parent === undefined ? '' : ` in ${parent}`;
  for (const [shape, phrase] of PHRASES) {
    const found = shape.exec(rest);
    if (found) return phrase(found.slice(1), subject, where, owner).replace(/…\.$/, '…');
  }
  return `${subject}${where}: ${plainName(rest)}`;
}

/** Names the namespace of a foreign element, since that alone may be the fault. */
function withNamespace(name: string): string {
  return name.replace(/^\{(.*)\}(.*)$/, (_, uri, local) => `${local} (${uri ? `of ${uri}` : 'without namespace'})`);
}

/** Without namespaces: `{uri}X` and `{uri}*` become `X` and `any other element`. */
function plainName(text: string): string {
  return text.replace(/(?:##other)?\{[^}]*\}\*?/g, (part) => (part.endsWith('*') ? 'any other element' : ''));
}

function quoted(list: string): string[] {
  return [...list.matchAll(/'([^']*)'/g)].map((match) => match[1] ?? '');
}

/** Leaves out abstract kinds (`Line_`), which cannot be written; libxml2 ends its list after ten. */
function names(list: string): string[] {
  const all = list.split(', ');
  const written = [...new Set(all.map(plainName))].filter((name) => !name.endsWith('_'));
  return all.length < LISTED_CHOICES ? written : [...written, '…'];
}

function list(all: readonly string[], one: string, several: string): string {
  if (all.length <= 1) return `${one} ${all[0] ?? 'nothing'}`;
  if (all.at(-1) === '…') return `${several} ${all.slice(0, -1).join(', ')} …`;
  const listed = all.slice(0, LISTED_CHOICES).join(', ');
  return `${several} ${listed}${all.length > LISTED_CHOICES ? ` … (${all.length} in all)` : ''}`;
}

function range(side: string | undefined, kind: string | undefined): string {
  if (kind === 'In') return side === 'min' ? 'at least' : 'at most';
  return side === 'min' ? 'more than' : 'less than';
}

const TYPES: Readonly<Record<string, string>> = {
  'xs:time': 'a time like 14:30:00',
  'xs:date': 'a date like 2026-03-29',
  'xs:dateTime': 'a date and time like 2026-03-29T14:30:00',
  'xs:duration': 'a duration like PT5M',
  'xs:boolean': 'true or false',
  'xs:integer': 'a whole number',
  'xs:int': 'a whole number',
  'xs:long': 'a whole number',
  'xs:short': 'a small whole number',
  'xs:positiveInteger': 'a whole number above 0',
  'xs:nonNegativeInteger': 'a whole number of at least 0',
  'xs:decimal': 'a number',
  'xs:double': 'a number',
  'xs:float': 'a number',
  'xs:anyURI': 'a web address',
  'xs:language': 'a language code like no',
  'xs:NMTOKEN': 'a name without spaces',
  'xs:NCName': 'a name without spaces and colons',
  'xs:Name': 'a name without spaces',
  'xs:ID': 'a name without spaces and colons',
};

function describeType(type: string | undefined): string {
  if (type === undefined) return 'a valid value';
  return TYPES[type] ?? `a valid ${plainName(type).replace(/^xs:/, '')}`;
}
