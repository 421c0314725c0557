/**
 * The manifest of an area: one object in `activities/<area>/area.ts` that says what the area consists of. The
 * processes, the local stack, the composition, the dashboards and the tests follow the list of manifests in
 * `activities/areas.ts`.
 *
 * Manifests hold facts and load code late (`load`, `ensureIndexes`): reading the list must stay cheap, because every
 * process does it.
 */
import type { SearchAttributeType, VersioningBehavior } from '@temporalio/common';
import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';
import type { z } from 'zod';
import type { ErasureStep } from './erasure/erasure-step.ts';
import type { EventEnvironment, OutboxEvent } from './events/outbox.ts';
import type { Interfaces } from './interfaces.ts';
import type { Logger } from './log.ts';
import type { CollectionDefinition } from './mongo/collection.ts';
import type { ObjectStore } from './object-store/object-store.ts';
import type { ListKept } from './personal/orphan-keys.ts';
import type { SubjectId } from './personal/subject-id.ts';
import type { HealthCheck } from './process/health.ts';
import type { RepeatedTask } from './process/repeat.ts';
import type { TemporalClient } from './temporal/temporal.ts';

export interface Area {
  /** Names the folders `api/<name>`, `workflows/<name>` and `activities/<name>`. */
  readonly name: string;
  /** The HTTP process that serves `api/<name>/openapi.yaml`; absent: the area has no operations. */
  readonly servedBy?: 'api' | 'auth';
  readonly collections: readonly CollectionEntry[];
  /** Its objects in the object store, by the start of their keys. */
  readonly objects?: readonly ObjectsEntry[];
  /** Topics of its domain events, without the environment at their end. */
  readonly topics?: readonly TopicEntry[];
  /** Events of topics, also of other areas, that it acts on. The events worker delivers them. */
  readonly subscriptions?: readonly SubscriptionEntry[];
  /** The search attributes that operators use for its workflows. Several areas may name the same one. */
  readonly searchAttributes?: readonly SearchAttribute[];
  readonly roles?: readonly WorkerRole[];
  /** Titles of its rows on the dashboard. */
  readonly dashboardRows?: readonly string[];
  /**
   * Makes indexes that need a configuration and so are not in `collections`. Safe to repeat, and to run in several
   * processes at once.
   */
  readonly ensureIndexes?: (base: StoreBase) => Promise<void>;
  /** The kinds of personal subjects that its documents are sealed for. */
  readonly subjectKinds?: readonly SubjectKindEntry[];
  /** The data that it destroys when a customer is erased. Called once by the worker that runs erasures. */
  readonly erasureSteps?: (base: ErasureBase) => Promise<readonly ErasureStep[]>;
  /** Registers what it offers to other areas; see interfaces.ts. Called once in each process. */
  readonly provide?: (base: ProcessBase, interfaces: Interfaces) => void;
}

export interface CollectionEntry {
  /** Made by the store: its name and its indexes. */
  readonly definition: Pick<CollectionDefinition<never>, 'collection' | 'ensureIndexes' | 'makeIndexes'>;
  /** A process or command that is not named here is refused every access. */
  readonly uses: Uses<DocumentRight>;
  /** `customerKeys`: the keys that seal personal data, in a database that back-ups of the data leave out. */
  readonly database?: 'data' | 'customerKeys';
  /** Its documents have an `outbox`, which the relay empties. */
  readonly outbox?: true;
  /** Its documents hold sealed personal data: a dump of personal data searches it. */
  readonly personal?: true;
  /**
   * Data that back-ups leave out: the whole collection, or members that a restore computes again, as
   * `eCards.serialKey`.
   */
  readonly leftOutOfBackups?: 'ALL' | readonly string[];
  /** `ADDED`: a restore adds documents to those that are there, and removes none. Absent: it replaces the collection. */
  readonly restored?: 'ADDED';
}

export interface ObjectsEntry {
  /** Ends with a slash, so that no prefix begins another. */
  readonly prefix: string;
  readonly uses: Uses<ObjectRight>;
  /** `ADDED`: a restore adds the objects that are missing, and its login deletes none. Absent: it replaces all of them. */
  readonly restored?: 'ADDED';
}

/**
 * `watch`: learns of changes as they happen. `index`: makes indexes and changes how long documents are kept. An update that
 * may create its document needs `insert` too, and one that answers the document needs `find`.
 */
export type DocumentRight = 'find' | 'insert' | 'update' | 'remove' | 'watch' | 'index';
/** `put` replaces objects and removes unfinished uploads. */
export type ObjectRight = 'get' | 'put' | 'list' | 'delete';
/** The rights by the name of the process (`api`, `timetable-worker`) or of the operators' command (`client`). */
export type Uses<Right extends string> = Readonly<Record<string, readonly Right[]>>;

/** As made by `defineSearchAttributeKey`. */
export interface SearchAttribute {
  readonly name: string;
  readonly type: SearchAttributeType;
}

export interface TopicEntry {
  readonly name: string;
  /** Member of the aggregate whose events are delivered in their order. */
  readonly key: string;
  /** Types of its events, as the events document lists them. */
  readonly events: readonly string[];
  /** Its events stay readable by aggregate after the feed has dropped them: activities/shared/event-history.ts. */
  readonly keptByAggregate?: true;
}

export interface SubscriptionEntry {
  /** Names its stored position: never changed. */
  readonly name: string;
  /** Without the environment at its end. */
  readonly topic: string;
  /** Called once by the events worker, which needs the rights that the handling uses. */
  readonly load: () => Promise<(base: ProcessBase) => HandleEvents>;
}

/** In the order of the topic, each at least once. After a failure the same events come again, and later ones wait. */
export type HandleEvents = (events: readonly OutboxEvent[]) => Promise<void>;

export interface SubjectKindEntry {
  /** That of its `subjectKind`. */
  readonly kind: string;
  /** Called once by the worker that removes keys without a subject. That worker needs `find` on the documents. */
  readonly listKept: (base: StoreBase) => Promise<ListKept>;
  /** The subjects that the data says are erased. Called by the restore, which destroys their keys again. */
  readonly listErased: (data: Connection) => Promise<AsyncIterable<SubjectId>>;
}

/** The connections and settings that every process has for its stores. */
export interface StoreBase {
  readonly log: Logger;
  readonly mongo: Connection;
  /** Part of the names of topics. */
  readonly eventEnvironment: EventEnvironment;
  /** Parses variables of the process. Throws ConfigError. */
  readonly readConfig: ReadConfig;
  /** Connects once per process and address; the process closes it and shows it in its health as `customerKeys`. */
  readonly connectKeys: (uri: string) => Promise<Connection>;
}

/** What erasure steps get: they may remove documents and objects, and ask other areas. */
export interface ErasureBase extends StoreBase {
  readonly objects: ObjectStore;
  readonly interfaces: Interfaces;
}

export type ReadConfig = <Shape extends z.ZodRawShape>(shape: Shape) => z.infer<z.ZodObject<Shape>>;

/** Dependencies of a worker role without a task queue. */
export interface ProcessBase extends StoreBase {
  /** Absent where no role of the process has a task queue. */
  readonly temporal?: TemporalClient;
  readonly registry: Registry;
  readonly interfaces: Interfaces;
  readonly areas: readonly Area[];
}

/** Dependencies of a worker role with a task queue. */
export interface WorkerBase extends ProcessBase {
  readonly objects: ObjectStore;
  readonly temporal: TemporalClient;
}

interface RoleFacts<Name extends string> {
  /** Names the process, its log, its figures and its worker deployment: `timetable-worker`. Never changed. */
  readonly name: Name;
  readonly title: string;
  /** Port of health and metrics, in the local stack and the composition. */
  readonly port: number;
  /** `heavy` roles take memory or a processor for minutes, and never share a process. */
  readonly weight: 'light' | 'heavy';
  /** Variables that it reads in addition to those of every worker. */
  readonly config: z.ZodRawShape;
  /** It empties the outboxes of all areas, and may read and change every collection that has one. */
  readonly relay?: true;
}

/** Runs the workflows and activities of one task queue. */
export interface QueueRole<Name extends string = string> extends RoleFacts<Name> {
  readonly queue: string;
  /** Workflow types; empty: activities alone. */
  readonly workflows: readonly string[];
  /**
   * Only for roles with workflows. `PINNED`: workflows are short and end on the build that they began on.
   * `AUTO_UPGRADE`: they outlive deployments, so every change of them needs `patched`.
   */
  readonly versioning?: VersioningBehavior;
  /** A cached workflow takes about a megabyte; one that is not cached is replayed. */
  readonly cachedWorkflows?: number;
  readonly activitiesAtOnce: number;
  readonly localActivitiesAtOnce?: number;
  readonly load: () => Promise<RoleCode<WorkerBase, WorkerPart>>;
}

/** Repeats tasks, and has no task queue: it needs the database alone. */
export interface TaskRole<Name extends string = string> extends RoleFacts<Name> {
  readonly queue?: undefined;
  readonly load: () => Promise<RoleCode<ProcessBase, TaskPart>>;
}

export type WorkerRole<Name extends string = string> = QueueRole<Name> | TaskRole<Name>;

export interface RoleCode<Base, Part> {
  /** Throws ConfigError for faults that a schema cannot express. Called before any connection is opened. */
  readonly checkConfig?: (readConfig: ReadConfig) => void;
  readonly create: (base: Base) => Promise<Part>;
}

export interface TaskPart {
  /** Repeated while the process lives. */
  readonly repeated?: readonly RepeatedTask[];
  readonly checks?: Readonly<Record<string, HealthCheck>>;
  /** Called in parallel after the tasks have ended. */
  readonly stop?: readonly (() => Promise<unknown>)[];
}

export interface WorkerPart extends TaskPart {
  readonly activities: object;
  /** That all workers of the queue together begin in a second; absent: as many as they can. */
  readonly activitiesPerSecond?: number;
}

/** Keeps the literal names of roles, so that processes are named by a type. */
export function defineArea<const A extends Area>(area: A): A {
  return area;
}

export function rolesOf(areas: readonly Area[]): readonly WorkerRole[] {
  return areas.flatMap(({ roles = [] }) => roles);
}

export function collectionsOf(areas: readonly Area[]): readonly CollectionEntry[] {
  return areas.flatMap(({ collections }) => collections);
}

/** Names of the collections whose documents have an outbox. */
export function outboxesOf(areas: readonly Area[]): readonly string[] {
  return collectionsOf(areas).flatMap(({ definition, outbox }) => (outbox ? [definition.collection] : []));
}

/**
 * Every process that composes a part of these areas calls this at start, before it takes work: for the collections that one
 * of `processes` uses.
 */
export async function ensureAreaIndexes(
  areas: readonly Area[],
  processes: readonly string[],
  base: StoreBase,
): Promise<void> {
  const data = collectionsOf(areas).filter(
    ({ database = 'data', uses }) => database === 'data' && processes.some((name) => name in uses),
  );
  await Promise.all([
    ...data.map(({ definition }) => definition.ensureIndexes(base.mongo)),
    ...areas.map((area) => area.ensureIndexes?.(base)),
  ]);
}

/** Each attribute once, in the order of the list. Throws when two areas give one name different types. */
export function searchAttributesOf(areas: readonly Area[]): readonly SearchAttribute[] {
  const byName = new Map<string, SearchAttribute>();
  for (const { name, searchAttributes = [] } of areas) {
    for (const attribute of searchAttributes) {
      const known = byName.get(attribute.name) ?? attribute;
      if (known.type !== attribute.type) throw new Error(`${name}: ${attribute.name} has another type elsewhere`);
      byName.set(attribute.name, known);
    }
  }
  return [...byName.values()];
}
