/**
 * Reads the unique, key and keyref constraints from NeTEx_publication.xsd. Arranges them by element name, so that a
 * streaming pass asks one map per element instead of 1,500 selectors.
 *
 * Callers: SchemaSet, once a version. Supports the XPath that XSD allows in selectors (`.//a/b`, `a/b`, unions) and
 * the fields that occur: attributes of the element and its own text. `unsupported` lists the rest; a test checks that
 * it is empty for every version.
 */
import { decodeXml } from '../xml/decode.ts';
import { NETEX_NAMESPACE, type OpenElement, Scanner } from '../xml/scan.ts';

const XSD = '{http://www.w3.org/2001/XMLSchema}';
/** The element whose declaration carries the constraints; they hold within it. */
export const SCOPE = 'PublicationDelivery';

export interface Constraint {
  readonly name: string;
  readonly type: 'unique' | 'key' | 'keyref';
  readonly selectors: readonly Selector[];
  /** In the order of the XSD: attribute names, `.` for the element's own text. */
  readonly fields: readonly string[];
  /** The key that a keyref refers to. */
  readonly refer: string | undefined;
}

interface Selector {
  /** `.//`: at any depth within the scope; else counted from it. */
  readonly anywhere: boolean;
  /** Names as the scan gives them, the selected element's last. */
  readonly steps: readonly string[];
}

/** The constraints that a selected element takes part in, by the values that identify it. */
export interface Role {
  readonly fields: readonly string[];
  /** One of the fields is the element's text, which is complete at its end. */
  readonly readsText: boolean;
  /** Number of the table of values; constraints with the same fields share one. */
  readonly table: number;
  /** Constraints within which the values must be unique. */
  readonly unique: readonly Constraint[];
  /** True when a key requires all values. */
  readonly complete: boolean;
  /** For a reference: the keys that must contain the values. */
  readonly refersTo: readonly Constraint[];
}

/** Elements of one name that the same selectors match. */
export interface Kind {
  readonly name: string;
  readonly roles: readonly Role[];
}

export class ConstraintIndex {
  readonly constraints: readonly Constraint[];
  readonly unsupported: readonly string[];
  readonly tables: number;
  readonly #plain = new Map<string, Kind>();
  readonly #conditional = new Map<string, Array<{ selector: Selector; constraint: Constraint }>>();
  readonly #conditionalKinds = new Map<string, Kind>();
  readonly #tables: string[] = [];
  readonly #byName: ReadonlyMap<string, Constraint>;

  constructor(constraints: readonly Constraint[], unsupported: readonly string[]) {
    this.constraints = constraints;
    this.unsupported = unsupported;
    this.#byName = new Map(constraints.map((constraint) => [constraint.name, constraint]));
    const plain = new Map<string, Constraint[]>();
    for (const constraint of constraints) {
      for (const selector of constraint.selectors) {
        const name = selector.steps.at(-1) as string;
        if (selector.anywhere && selector.steps.length === 1) addTo(plain, name, constraint);
        else addTo(this.#conditional, name, { selector, constraint });
      }
    }
    for (const [name, selected] of plain) this.#plain.set(name, this.#kind(name, selected));
    this.tables = this.#tables.length;
  }

  /** The selectors that match the element; `scopeDepth` is the depth of the element with the constraints. */
  kindOf(element: OpenElement, scopeDepth: number): Kind | undefined {
    const conditional = this.#conditional.get(element.name);
    if (conditional === undefined) return this.#plain.get(element.name);
    return this.#conditionalKind(element, scopeDepth, conditional);
  }

  #conditionalKind(
    element: OpenElement,
    scopeDepth: number,
    conditional: ReadonlyArray<{ selector: Selector; constraint: Constraint }>,
  ): Kind | undefined {
    const plain = this.#plain.get(element.name);
    const held = conditional.filter(({ selector }) => selects(selector, element, scopeDepth));
    if (held.length === 0) return plain;
    const key = `${element.name} ${held.map(({ constraint }) => constraint.name).join(' ')}`;
    let kind = this.#conditionalKinds.get(key);
    if (kind === undefined) {
      const plainly = this.constraints.filter(({ selectors }) =>
        selectors.some(({ anywhere, steps }) => anywhere && steps.length === 1 && steps[0] === element.name),
      );
      kind = this.#kind(element.name, [...plainly, ...held.map(({ constraint }) => constraint)]);
      this.#conditionalKinds.set(key, kind);
    }
    return kind;
  }

  #kind(name: string, selected: readonly Constraint[]): Kind {
    const roles = new Map<string, { fields: readonly string[]; table: number; of: Constraint[]; to: Constraint[] }>();
    for (const constraint of new Set(selected)) {
      const key = constraint.refer === undefined ? undefined : this.#byName.get(constraint.refer);
      if (constraint.type === 'keyref' && key === undefined) continue;
      const table = this.#table((key ?? constraint).fields);
      const roleName = `${constraint.fields.join(' ')} > ${table} ${key !== undefined}`;
      const role = roles.get(roleName) ?? { fields: constraint.fields, table, of: [], to: [] };
      roles.set(roleName, role);
      if (key) role.to.push(key);
      else role.of.push(constraint);
    }
    return {
      name,
      roles: [...roles.values()].map(({ fields, table, of, to }) => ({
        fields,
        readsText: fields.includes('.'),
        table,
        unique: of,
        complete: of.some(({ type }) => type === 'key'),
        refersTo: to,
      })),
    };
  }

  #table(fields: readonly string[]): number {
    const name = fields.join(' ');
    const present = this.#tables.indexOf(name);
    return present >= 0 ? present : this.#tables.push(name) - 1;
  }
}

function selects({ anywhere, steps }: Selector, element: OpenElement, scopeDepth: number): boolean {
  if (anywhere ? element.depth < scopeDepth + steps.length : element.depth !== scopeDepth + steps.length) return false;
  let at: OpenElement | undefined = element;
  for (let i = steps.length - 1; i >= 0; i--, at = at.parent)
    if (at === undefined || at.name !== steps[i]) return false;
  return true;
}

function addTo<V>(map: Map<string, V[]>, key: string, value: V): void {
  const present = map.get(key);
  if (present) present.push(value);
  else map.set(key, [value]);
}

export function readConstraints(xsd: Uint8Array): ConstraintIndex {
  const text = [...decodeXml(xsd)].join('');
  const namespaces = new Map(
    [...text.matchAll(/xmlns:([\w.-]+)\s*=\s*["']([^"']*)["']/g)].map((match) => [match[1] ?? '', match[2] ?? '']),
  );
  const constraints: Constraint[] = [];
  const unsupported: string[] = [];
  let selector = '';
  let fields: string[] = [];
  const scanner = new Scanner({
    start({ name, attributes }) {
      if (name === `${XSD}selector`) selector = attributes.xpath ?? '';
      else if (name === `${XSD}field`) fields.push(attributes.xpath ?? '');
    },
    end({ name, attributes, parent }) {
      const type = name.startsWith(XSD) ? name.slice(XSD.length) : '';
      if (type !== 'unique' && type !== 'key' && type !== 'keyref') return;
      try {
        if (parent?.attributes.name !== SCOPE) throw new Error(`on ${parent?.attributes.name}`);
        constraints.push({
          name: attributes.name ?? '',
          type,
          selectors: selector.split('|').map((path) => parseSelector(path, namespaces)),
          fields: fields.map(parseField),
          refer: attributes.refer?.replace(/^.*:/, ''),
        });
      } catch (error) {
        unsupported.push(`${type} ${attributes.name}: ${(error as Error).message}`);
      }
      fields = [];
    },
  });
  scanner.write(text);
  scanner.close();
  const names = new Set(constraints.map((constraint) => constraint.name));
  for (const { name, refer } of constraints) {
    if (refer !== undefined && !names.has(refer))
      unsupported.push(`keyref ${name}: refers to ${refer}, which is not there`);
  }
  return new ConstraintIndex(constraints, unsupported);
}

function parseSelector(path: string, namespaces: ReadonlyMap<string, string>): Selector {
  const trimmed = path.trim();
  const anywhere = trimmed.startsWith('.//');
  const steps = (anywhere ? trimmed.slice(3) : trimmed).split('/').filter((step) => step !== '.');
  return { anywhere, steps: steps.map((step) => canonicalName(step.trim(), namespaces)) };
}

/** The scan's name for an element: a name without prefix is in no namespace, whatever the default namespace is. */
function canonicalName(step: string, namespaces: ReadonlyMap<string, string>): string {
  const [, prefix, local] = /^(?:([\w.-]+):)?([\w.-]+)$/.exec(step) ?? [];
  if (local === undefined) throw new Error(`the step ${step}`);
  if (prefix === undefined) return `{}${local}`;
  if (namespaces.get(prefix) !== NETEX_NAMESPACE) throw new Error(`the namespace of ${step}`);
  return local;
}

/** `@a`, also written `././@a`; `.`; a child in no namespace, which NeTEx has none of, stays as `{}child`. */
function parseField(path: string): string {
  const plain = path.trim().replace(/^(?:\.\/)+(?=.)/, '');
  if (/^@[\w.-]+$/.test(plain)) return plain.slice(1);
  if (plain === '.') return plain;
  if (/^[\w.-]+$/.test(plain)) return `{}${plain}`;
  throw new Error(`the field ${path}`);
}
