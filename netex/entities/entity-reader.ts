/**
 * Streams the entities of one file from a scan: each is read at its end tag, passed to the sink, and forgotten.
 *
 * Callers: the planner's importer. Knows only NeTEx: checks nothing, joins nothing, and skips what it does not know.
 * Kinds without a method of the sink cost a lookup by name. SiteFrames belong to `stop-register/`, calendars to
 * `model/calendar-readers.ts`; this reader skips both.
 */
import type { OpenElement, ScanListener } from '../xml/scan.ts';
import type * as entities from './entity-types.ts';
import * as journeys from './journey-entities.ts';
import * as lines from './line-entities.ts';
import * as patterns from './pattern-entities.ts';
import { FrameValidity } from './validity.ts';
import { XmlNode } from './xml-node.ts';

export interface EntitySink {
  organisation?(entity: entities.OrganisationEntity): void;
  network?(entity: entities.NetworkEntity): void;
  groupOfLines?(entity: entities.GroupOfLinesEntity): void;
  branding?(entity: entities.BrandingEntity): void;
  line?(entity: entities.LineEntity): void;
  direction?(entity: entities.DirectionEntity): void;
  route?(entity: entities.RouteEntity): void;
  pattern?(entity: entities.PatternEntity): void;
  serviceLink?(entity: entities.ServiceLinkEntity): void;
  destinationDisplay?(entity: entities.DestinationDisplayEntity): void;
  stopAssignment?(entity: entities.StopAssignmentEntity): void;
  scheduledStopPoint?(entity: entities.ScheduledStopPointEntity): void;
  serviceJourney?(entity: entities.ServiceJourneyEntity): void;
  headway?(entity: entities.HeadwayEntity): void;
  datedServiceJourney?(entity: entities.DatedServiceJourneyEntity): void;
  interchange?(entity: entities.InterchangeEntity): void;
  notice?(entity: entities.NoticeEntity): void;
  noticeAssignment?(entity: entities.NoticeAssignmentEntity): void;
  zone?(entity: entities.ZoneEntity): void;
}

/** Returns whether to skip an entity with all its content. */
export type EntityFilter = (id: string) => boolean;

interface Surroundings extends entities.FrameDefaults {
  readonly holderId: string | undefined;
}

type NodeReader = (node: XmlNode, id: string, around: Surroundings) => void;

/** Frames that nothing here reads, and extensions outside the standard. */
const PASSED_OVER: ReadonlySet<string> = new Set(['SiteFrame', 'VehicleScheduleFrame', 'Extensions']);

interface OpenFrame {
  readonly depth: number;
  readonly validity: FrameValidity;
  timeZone: string | undefined;
  language: string | undefined;
}

export class EntityReader implements ScanListener {
  readonly #readers: ReadonlyMap<string, NodeReader>;
  readonly #sink: EntitySink;
  readonly #isLeftOut: EntityFilter | undefined;
  readonly #frames: OpenFrame[] = [];
  /** The open entity and its open descendants, innermost last. */
  readonly #nodes: XmlNode[] = [];
  /** Id of the element around the open entity, unless that is a frame. */
  #holderId: string | undefined;
  /** Depth of the skipped element; 0 for none. */
  #skippedDepth = 0;

  /** Reads one file. `isLeftOut` skips entities by id, in addition to those marked as not public. */
  constructor(sink: EntitySink, isLeftOut?: EntityFilter) {
    this.#sink = sink;
    this.#isLeftOut = isLeftOut;
    this.#readers = readersFor(sink);
  }

  /** True inside an entity or a skipped element, where other readers have nothing to read. */
  get isInside(): boolean {
    return this.#skippedDepth > 0 || this.#nodes.length > 0;
  }

  start(element: OpenElement): void {
    if (this.#skippedDepth > 0) return;
    const { name } = element;
    const { publication } = element.attributes;
    const isRestricted = publication !== undefined && publication.trim() !== 'public';
    if (isRestricted || PASSED_OVER.has(name)) this.#skippedDepth = element.depth;
    else if (this.#nodes.length > 0) this.#openPart(element);
    else if (this.#readers.has(name)) this.#openEntity(element);
    else if (name.endsWith('Frame')) this.#openFrame(element.depth);
  }

  end(element: OpenElement): void {
    if (this.#skippedDepth > 0) {
      if (element.depth === this.#skippedDepth) this.#skippedDepth = 0;
      return;
    }
    const node = this.#nodes.at(-1);
    if (node === undefined) this.#endOutside(element);
    else {
      node.text = element.text;
      this.#nodes.pop();
      if (this.#nodes.length === 0) this.#emit(node);
      else if (node.name === 'NoticeAssignment') this.#tellInner(node);
    }
  }

  #openEntity(element: OpenElement): void {
    const { id } = element.attributes;
    if (id !== undefined && this.#isLeftOut?.(id)) {
      this.#skippedDepth = element.depth;
      return;
    }
    const holder = element.parent?.name === 'noticeAssignments' ? element.parent.parent : element.parent;
    this.#holderId = holder?.name.endsWith('Frame') ? undefined : holder?.attributes.id;
    this.#nodes.push(new XmlNode(element));
  }

  #openPart(element: OpenElement): void {
    const node = new XmlNode(element);
    this.#nodes.at(-1)?.add(node);
    this.#nodes.push(node);
  }

  #openFrame(depth: number): void {
    const around = this.#frames.at(-1);
    const validity = new FrameValidity(depth, around?.validity.days);
    this.#frames.push({ depth, validity, timeZone: around?.timeZone, language: around?.language });
  }

  #endOutside(element: OpenElement): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    const { name, depth, parent, text } = element;
    frame.validity.end(element);
    if (depth === frame.depth) this.#frames.pop();
    else if (parent?.name !== 'DefaultLocale' || depth !== frame.depth + 3) return;
    else if (name === 'TimeZone') frame.timeZone = text.trim() || frame.timeZone;
    else if (name === 'DefaultLanguage') frame.language = text.trim() || frame.language;
  }

  #emit(node: XmlNode): void {
    const { id = '' } = node.attributes;
    const frame = this.#frames.at(-1);
    const says = { timeZone: frame?.timeZone, language: frame?.language, validity: frame?.validity.days };
    const around = { ...says, holderId: this.#holderId };
    this.#readers.get(node.name)?.(node, id, around);
  }

  /** Passes on a notice assignment, with the element that holds it. */
  #tellInner(node: XmlNode): void {
    const isListed = this.#nodes.at(-1)?.name === 'noticeAssignments';
    const holder = this.#nodes.at(isListed ? -2 : -1);
    const { id } = node.attributes;
    if (id !== undefined && this.#isLeftOut?.(id)) return;
    this.#sink.noticeAssignment?.(journeys.readNoticeAssignment(node, holder?.attributes.id));
  }
}

/** By element name, for the kinds that the sink takes. An entity without a required id is left out. */
function readersFor(sink: EntitySink): ReadonlyMap<string, NodeReader> {
  const readers = new Map<string, NodeReader>();
  const on = <Kind extends keyof EntitySink>(
    kind: Kind,
    names: readonly string[],
    read: (node: XmlNode, id: string, around: Surroundings) => Parameters<NonNullable<EntitySink[Kind]>>[0],
    needsId = true,
  ): void => {
    const emit = sink[kind]?.bind(sink) as ((entity: unknown) => void) | undefined;
    if (emit === undefined) return;
    const reader: NodeReader = (node, id, around) => {
      if (id !== '' || !needsId) emit(read(node, id, around));
    };
    for (const name of names) readers.set(name, reader);
  };
  on('organisation', ['Authority', 'Operator'], lines.readOrganisation);
  on('network', ['Network'], lines.readNetwork);
  on('groupOfLines', ['GroupOfLines'], lines.readGroupOfLines);
  on('branding', ['Branding'], lines.readBranding);
  on('line', ['Line', 'FlexibleLine'], lines.readLine);
  on('direction', ['Direction'], lines.readDirection);
  on('route', ['Route'], lines.readRoute);
  on('pattern', ['JourneyPattern', 'ServiceJourneyPattern'], patterns.readPattern);
  on('serviceLink', ['ServiceLink'], patterns.readServiceLink);
  on('destinationDisplay', ['DestinationDisplay'], patterns.readDestinationDisplay);
  on('stopAssignment', ['PassengerStopAssignment', 'FlexibleStopAssignment'], patterns.readStopAssignment, false);
  on('scheduledStopPoint', ['ScheduledStopPoint'], patterns.readScheduledStopPoint);
  on('serviceJourney', ['ServiceJourney', 'TemplateServiceJourney'], journeys.readServiceJourney);
  on('headway', ['HeadwayJourneyGroup'], journeys.readHeadway, false);
  on('datedServiceJourney', ['DatedServiceJourney'], journeys.readDatedServiceJourney);
  on('interchange', ['ServiceJourneyInterchange'], journeys.readInterchange);
  on('notice', ['Notice'], journeys.readNotice);
  on(
    'noticeAssignment',
    ['NoticeAssignment'],
    (node, _id, { holderId }) => journeys.readNoticeAssignment(node, holderId),
    false,
  );
  on('zone', ['TariffZone', 'FareZone'], patterns.readZone);
  return readers;
}
