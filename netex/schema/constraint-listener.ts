/**
 * Evaluates unique, key and keyref constraints while a file streams by, as XSD defines them. A key needs all its
 * values; unique and keyref consider only elements that have all. A keyref is resolved at the end, so order does not
 * matter.
 *
 * Callers: SchemaSet. Linear in time; keeps one entry per identified element and per unresolved reference.
 */
import { keptText } from '../xml/kept-text.ts';
import type { OpenElement, ScanListener } from '../xml/scan.ts';
import { describeDuplicate, describeIncomplete, describeUnresolved } from './constraint-messages.ts';
import { type ConstraintIndex, type Kind, type Role, SCOPE } from './constraints.ts';
import { surroundings } from './locate.ts';
import type { SchemaDefect } from './schema-outcome.ts';

/** Elements with the same first value, in a chain. */
interface Entry {
  readonly rest: string;
  readonly kind: Kind;
  readonly role: Role;
  readonly line: number;
  readonly next: Entry | undefined;
}

interface Reference {
  readonly values: readonly string[];
  readonly role: Role;
  readonly defect: Omit<SchemaDefect, 'message'>;
  readonly name: string;
}

export function createConstraintListener(
  index: ConstraintIndex,
  report: (defect: SchemaDefect) => void,
): ScanListener & { finish(): void } {
  return new ConstraintListener(index, report);
}

class ConstraintListener implements ScanListener {
  readonly #index: ConstraintIndex;
  readonly #report: (defect: SchemaDefect) => void;
  /** A table per list of fields: first value → entries. */
  readonly #tables: Array<Map<string, Entry>>;
  /** Unresolved references, by table, first value and role. */
  readonly #open: Map<string, Reference> = new Map();
  readonly #textKinds = new Map<OpenElement, Kind>();
  #scopeDepth = 0;

  constructor(index: ConstraintIndex, report: (defect: SchemaDefect) => void) {
    this.#index = index;
    this.#report = report;
    this.#tables = [];
  }

  start(element: OpenElement): void {
    if (this.#scopeDepth === 0) {
      if (element.name === SCOPE) this.#scopeDepth = element.depth;
      return;
    }
    const kind = this.#index.kindOf(element, this.#scopeDepth);
    if (kind === undefined) return;
    for (const role of kind.roles) {
      if (role.readsText) this.#textKinds.set(element, kind);
      else this.#take(element, kind, role);
    }
  }

  end(element: OpenElement): void {
    if (this.#textKinds.size > 0) {
      const kind = this.#textKinds.get(element);
      if (kind) {
        this.#textKinds.delete(element);
        for (const role of kind.roles) if (role.readsText) this.#take(element, kind, role);
      }
    }
    if (element.depth === this.#scopeDepth) this.#resolve();
  }

  finish(): void {}

  #take(element: OpenElement, kind: Kind, role: Role): void {
    const first = fieldValue(element, role.fields[0] as string);
    if (first === undefined) {
      this.#incomplete(element, role);
      return;
    }
    let rest = '';
    for (let i = 1; i < role.fields.length; i++) {
      const value = fieldValue(element, role.fields[i] as string);
      if (value === undefined) {
        this.#incomplete(element, role);
        return;
      }
      rest = i === 1 ? value : `${rest}\0${value}`;
    }
    if (role.refersTo.length > 0) this.#refer(element, role, first, rest);
    else this.#identify(element, kind, role, first, rest);
  }

  #incomplete(element: OpenElement, role: Role): void {
    if (!role.complete) return;
    const missing = role.fields.filter((field) => fieldValue(element, field) === undefined);
    this.#reportAt(element, describeIncomplete(element, role.fields, missing));
  }

  #identify(element: OpenElement, kind: Kind, role: Role, first: string, rest: string): void {
    const table = this.#table(role.table);
    const chain = table.get(first);
    let twin: Entry | undefined;
    let known = false;
    for (let entry = chain; entry; entry = entry.next) {
      if (entry.rest !== rest) continue;
      if (entry.kind === kind) known = true;
      if (twin === undefined && shareConstraint(entry.role, role)) twin = entry;
    }
    if (twin)
      this.#reportAt(element, describeDuplicate(element, role.fields, [first, rest], twin.kind.name, twin.line));
    if (known) return;
    const key = chain === undefined ? keptText(first) : first;
    table.set(key, { rest: keptText(rest), kind, role, line: element.line, next: chain });
  }

  #refer(element: OpenElement, role: Role, first: string, rest: string): void {
    if (this.#findsAll(role, first, rest)) return;
    const key = `${role.table} ${first}\0${rest}\0${element.name}`;
    if (this.#open.has(key)) return;
    const { line, column, objectId: id } = surroundings(element);
    const defect = { line, column, objectId: id === null ? null : keptText(id) };
    this.#open.set(key, { values: [keptText(first), rest], role, defect, name: element.name });
  }

  /** Whether each key that the reference must satisfy already holds the values. */
  #findsAll(role: Role, first: string, rest: string): boolean {
    const chain = this.#table(role.table).get(first);
    return role.refersTo.every((key) => {
      for (let entry = chain; entry; entry = entry.next) {
        if (entry.rest === rest && entry.role.unique.includes(key)) return true;
      }
      return false;
    });
  }

  #resolve(): void {
    for (const { values, role, defect, name } of this.#open.values()) {
      const [first = '', rest = ''] = values;
      if (this.#findsAll(role, first, rest)) continue;
      const others: string[] = [];
      for (let entry = this.#table(role.table).get(first); entry; entry = entry.next) others.push(entry.rest);
      this.#report({ ...defect, message: describeUnresolved(name, role, [first, rest], others) });
    }
    this.#open.clear();
    this.#tables.length = 0;
    this.#scopeDepth = 0;
  }

  #table(number: number): Map<string, Entry> {
    let table = this.#tables[number];
    if (table === undefined) {
      table = new Map();
      this.#tables[number] = table;
    }
    return table;
  }

  #reportAt(element: OpenElement, message: string): void {
    const { line, column, objectId } = surroundings(element);
    this.#report({ message, line, column, objectId });
  }
}

/** Normalises by the field's type in the XSD: `order` is a number; in texts, control characters count as spaces. */
function fieldValue(element: OpenElement, field: string): string | undefined {
  const written = field === '.' ? element.text.trim() : element.attributes[field];
  if (written === undefined) return DEFAULTS[element.name]?.[field];
  if (field === 'order') return written.trim().replace(/^(-?)\+?0*(?=\d)/, '$1');
  return /[\t\n\r]/.test(written) ? written.replace(/[\t\n\r]/g, ' ') : written;
}

/** Default attribute values of the XSD that a constraint uses. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  DisplayAssignmentRef: { order: '1' },
  Via: { order: '1' },
};

function shareConstraint(a: Role, b: Role): boolean {
  return a === b || a.unique.some((constraint) => b.unique.includes(constraint));
}
