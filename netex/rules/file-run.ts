/**
 * One file under the rules: calls each check for the elements that it subscribed to and gathers the findings.
 *
 * Callers: `validateFile`. Elements without a subscription cost one lookup. Elements within a SiteFrame of a
 * timetable dataset are shown only to the checks that ask, because stops come from the register.
 */
import { HashSet } from '../dataset/hash-set.ts';
import { IdHasher } from '../dataset/id-hash.ts';
import { IdIndex } from '../dataset/id-index.ts';
import type { FileKind } from '../finding.ts';
import { ModelCollector } from '../model/collector.ts';
import { TimetableFacts } from '../model/facts.ts';
import type { ModelCheck } from '../model/model-check.ts';
import { FrameStops } from '../stop-register/frame-stops.ts';
import type { StopFacts } from '../stop-register/stop-facts.ts';
import { StopRegister } from '../stop-register/stop-register.ts';
import type { ValidationContext } from '../validation-context.ts';
import type { ElementKind, OpenElement, ScanListener } from '../xml/scan.ts';
import type { Check, ElementHandler, RuleRun, Subscriptions } from './check.ts';
import { FindingList, type Place } from './finding-list.ts';
import type { Rule } from './rule.ts';

type NamedHandler = (element: OpenElement, value: string) => void;

/** All handlers for the elements of one file; one instance for the whole file, one for elements within SiteFrames. */
class Audience {
  readonly #starts = new Map<string, ElementHandler[]>();
  readonly #ends = new Map<string, ElementHandler[]>();
  /** The same by number of the kind, filled as kinds occur. */
  readonly #startsOf: Array<readonly ElementHandler[]> = [];
  readonly #endsOf: Array<readonly ElementHandler[]> = [];
  readonly identified: NamedHandler[] = [];
  readonly references: NamedHandler[] = [];
  readonly versioned: NamedHandler[] = [];

  add(subscriptions: Subscriptions): void {
    addNamed(this.#starts, subscriptions.start);
    addNamed(this.#ends, subscriptions.end);
    if (subscriptions.identified) this.identified.push(subscriptions.identified);
    if (subscriptions.reference) this.references.push(subscriptions.reference);
    if (subscriptions.versioned) this.versioned.push(subscriptions.versioned);
  }

  startsOf({ name, number }: ElementKind): readonly ElementHandler[] {
    let handlers = this.#startsOf[number];
    if (handlers === undefined) {
      handlers = this.#starts.get(name) ?? NOBODY;
      this.#startsOf[number] = handlers;
    }
    return handlers;
  }

  endsOf({ name, number }: ElementKind): readonly ElementHandler[] {
    let handlers = this.#endsOf[number];
    if (handlers === undefined) {
      handlers = this.#ends.get(name) ?? NOBODY;
      this.#endsOf[number] = handlers;
    }
    return handlers;
  }
}

const NOBODY: readonly ElementHandler[] = [];

export class FileRun implements ScanListener, RuleRun {
  readonly fileName: string;
  readonly kind: FileKind;
  readonly context: ValidationContext;
  readonly stopRegister: StopRegister | undefined;
  readonly shared: TimetableFacts | undefined;
  readonly findings: FindingList;
  readonly hasher = new IdHasher();
  /** Hashes of the file's ids, without those of stops in a SiteFrame. */
  readonly ids = new HashSet();
  /** The same for id and version together. */
  readonly versionedIds = new HashSet();
  isRepeatedId = false;

  /** Hashes of the ids of stops in a SiteFrame that the checks skip. */
  readonly #siteFrameIds = new HashSet();
  readonly #commonIds: IdIndex | undefined;
  readonly #datasetStops: StopRegister | undefined;
  /** Stops of the file's own SiteFrames. */
  readonly #frameStops = new FrameStops();
  readonly #everywhere = new Audience();
  readonly #withinSiteFrames = new Audience();
  readonly #finishers: Array<() => void> = [];
  #audience = this.#everywhere;
  #siteFrameDepth = 0;

  constructor(
    file: { name: string; kind: FileKind },
    context: ValidationContext,
    checks: readonly Check[],
    modelChecks: readonly ModelCheck[] = [],
  ) {
    this.fileName = file.name;
    this.kind = file.kind;
    this.context = context;
    this.#commonIds = context.commonIds && IdIndex.open(context.commonIds);
    this.stopRegister = context.stopRegister && StopRegister.open(context.stopRegister);
    this.#datasetStops = context.datasetStops && StopRegister.open(context.datasetStops);
    this.shared = context.commonFacts && TimetableFacts.open(context.commonFacts);
    this.findings = new FindingList(file.name, context);
    for (const check of checks) this.#begin(check);
    this.#beginModel(modelChecks);
  }

  start(element: OpenElement): void {
    if (this.#siteFrameDepth === 0 && element.name === 'SiteFrame' && this.context.dataset === 'timetable') {
      this.#siteFrameDepth = element.depth;
      this.#audience = this.#withinSiteFrames;
      this.#frameStops.begin();
    } else if (this.#siteFrameDepth !== 0) this.#frameStops.start(element);
    const audience = this.#audience;
    const { id, ref, version } = element.attributes;
    const { kind } = element;
    if (id !== undefined && kind.isNetex && element.name !== 'Codespace') this.#identified(element, id, version);
    for (const handler of audience.startsOf(kind)) handler(element);
    if (ref !== undefined && kind.isNetex) for (const handler of audience.references) handler(element, ref);
    if (version !== undefined) for (const handler of audience.versioned) handler(element, version);
  }

  end(element: OpenElement): void {
    for (const handler of this.#audience.endsOf(element.kind)) handler(element);
    if (element.depth === this.#siteFrameDepth) {
      this.#siteFrameDepth = 0;
      this.#audience = this.#everywhere;
    } else if (this.#siteFrameDepth !== 0) this.#frameStops.end(element);
  }

  /** Call after the last element. */
  finish(): void {
    for (const finisher of this.#finishers) finisher();
  }

  /** The message is built only for listed findings. */
  report(rule: Rule, place: Place, message: () => string): void {
    // A rule with a full list applies to the file.
    if (this.findings.countBeyondList(rule)) return;
    if (this.applies(rule)) this.findings.add(rule, place, message);
  }

  applies(rule: Rule): boolean {
    const { profile, dataset } = this.context;
    return (
      (rule.scope === 'all' || rule.scope === this.kind) &&
      rule.profiles.includes(profile) &&
      rule.datasets.includes(dataset)
    );
  }

  /** Whether the file has an element with the id, in any version, so far. */
  hasId(id: string): boolean {
    this.hasher.hash(id);
    return this.ids.has(this.hasher.high, this.hasher.low);
  }

  hasSiteFrameId(id: string): boolean {
    if (this.#siteFrameIds.size === 0) return false;
    this.hasher.hash(id);
    return this.#siteFrameIds.has(this.hasher.high, this.hasher.low);
  }

  isInOtherCommonFile(id: string): boolean {
    const holder = this.#commonIds?.findLabel(id);
    return holder !== undefined && holder !== this.fileName;
  }

  findStop(id: string): StopFacts | undefined {
    return this.stopRegister?.findStop(id) ?? this.#datasetStops?.findStop(id) ?? this.#frameStops.findStop(id);
  }

  #begin(check: Check): void {
    if (check.rules.length > 0 && !check.rules.some((rule) => this.applies(rule))) return;
    const subscriptions = check.begin(this);
    this.#everywhere.add(subscriptions);
    if (check.looksIntoSiteFrames) this.#withinSiteFrames.add(subscriptions);
    if (subscriptions.finish) this.#finishers.push(subscriptions.finish);
  }

  /** Model checks come last: all findings of the pass are known by then. */
  #beginModel(modelChecks: readonly ModelCheck[]): void {
    const applying = modelChecks.filter(({ rules }) => rules.length === 0 || rules.some((rule) => this.applies(rule)));
    if (applying.length === 0) return;
    const collector = new ModelCollector();
    for (const subscriptions of collector.subscriptions()) this.#everywhere.add(subscriptions);
    this.#finishers.push(() => {
      const model = collector.build(this.shared);
      for (const check of applying) check.check(this, model);
    });
  }

  #identified(element: OpenElement, id: string, version: string | undefined): void {
    const hasher = this.hasher;
    hasher.hash(id);
    if (this.#siteFrameDepth === 0) {
      this.isRepeatedId = !this.ids.add(hasher.high, hasher.low);
      hasher.extend(version);
      this.versionedIds.add(hasher.high, hasher.low);
    } else this.#siteFrameIds.add(hasher.high, hasher.low);
    for (const handler of this.#audience.identified) handler(element, id);
  }
}

function addNamed(
  handlers: Map<string, ElementHandler[]>,
  added: Readonly<Record<string, ElementHandler>> | undefined,
): void {
  for (const [name, handler] of Object.entries(added ?? {})) {
    const present = handlers.get(name);
    if (present) present.push(handler);
    else handlers.set(name, [handler]);
  }
}
