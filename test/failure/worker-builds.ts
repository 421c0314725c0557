/**
 * Makes work for workers, and other builds of them: imports that can be paused half-way, profiles that wait. Used by
 * tests of worker versions and of two workers of one role.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TemporalClient } from '../../platform/temporal/temporal.ts';
import { WorkerVersions } from '../../platform/temporal/worker-versions.ts';
import { loadWorkflowBundle } from '../../workers/shared/bundle.ts';
import { temporaryProfileWorkflowId } from '../../workflows/customers/messages.ts';
import type { Codespace, CorrelationId, CustomerNumber } from '../../workflows/shared/ids.ts';
import { datasetImportWorkflowId } from '../../workflows/timetable/messages.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { LINE_FILE } from '../support/netex-samples.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { writeZip } from '../support/zip-writer.ts';
import { variantOf } from './kill-runs.ts';

const CODESPACE = 'dem';
const FIRST_OF_VALIDATION = 'indexCommonFiles';
const PATIENT = { timeoutMs: 120_000, everyMs: 100 };
const BY = { changedBy: 'builds', changedByChannel: 'test' };

/** One file with faults: its import completes validation within a second and ends FAILED. */
export const FAULTY_ARCHIVE = writeZip([{ name: 'line.xml', data: LINE_FILE.replaceAll('TST', 'DEM') }]);

export interface Build {
  readonly path: string;
  readonly checksum: string;
}

export class WorkerBuilds {
  readonly temporal: TemporalClient;
  readonly versions: WorkerVersions;
  readonly #service: Service;
  readonly #archive: Buffer;
  readonly #folder = temporaryDirectory('builds');
  #token = '';
  #count = 0;

  constructor(service: Service, archive: Buffer = FAULTY_ARCHIVE) {
    this.#service = service;
    this.#archive = archive;
    this.temporal = new TemporalClient({
      TEMPORAL_ADDRESS: service.temporalAddress,
      TEMPORAL_NAMESPACE: 'default',
      PAYLOAD_KEYS: service.payloadKeys,
    });
    this.versions = new WorkerVersions(this.temporal);
  }

  async prepare(): Promise<void> {
    const owner = { ownerOrganisationId: 1, allowedXmlns: ['NSR', 'PEN'], profile: 'timetable' } as const;
    await (await this.#service.client()).putCodespace(CODESPACE, { name: 'Demo', xmlns: 'DEM', ...owner });
    this.#token = await this.#service.token(['profiles:read', 'profiles:write']);
  }

  /** The build that the service started with. */
  async first(): Promise<Build> {
    const path = this.#service.workflowBundle;
    return { path, checksum: (await loadWorkflowBundle(path)).checksum };
  }

  /** A build that does the same as the first, with another id. */
  async another(name: string): Promise<Build> {
    const path = join(this.#folder, `${name}.js`);
    writeFileSync(path, `/* ${name} */\n${readFileSync((await this.first()).path, 'utf8')}`);
    return { path, checksum: (await loadWorkflowBundle(path)).checksum };
  }

  async untilCurrent(deployment: string, { checksum }: Build): Promise<void> {
    const isCurrent = async () => (await this.versions.findDeployment(deployment))?.current === checksum;
    await until(isCurrent, { ...PATIENT, what: `${deployment} of build ${checksum}` });
  }

  /** Returns the id of the workflow. */
  async upload(): Promise<string> {
    this.#count += 1;
    const path = join(this.#folder, `archive-${this.#count}.zip`);
    writeFileSync(path, variantOf(this.#archive, randomUUID()));
    const correlationId = await (await this.#service.client()).upload(CODESPACE, path);
    return datasetImportWorkflowId(CODESPACE as Codespace, correlationId as CorrelationId);
  }

  /** Waits until the import needs a worker of the queue `timetable-validation`. */
  async untilHeld(workflowId: string): Promise<void> {
    const isHeld = async () => {
      const { raw } = await this.temporal.client.workflow.getHandle(workflowId).describe();
      return raw.pendingActivities?.some(({ activityType }) => activityType?.name === FIRST_OF_VALIDATION) ?? false;
    };
    await until(isHeld, { ...PATIENT, what: `${workflowId} to be held` });
  }

  /** State in which the import ends. */
  async stateOf(workflowId: string): Promise<string> {
    return ((await this.temporal.client.workflow.getHandle(workflowId).result()) as { state: string }).state;
  }

  /** The build that ran the last step of the workflow. */
  async buildOf(workflowId: string): Promise<string | null | undefined> {
    const { raw } = await this.temporal.client.workflow.getHandle(workflowId).describe();
    return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
  }

  async createTemporary(): Promise<string> {
    const expirationDate = new Date(Date.now() + 86_400_000).toISOString();
    const by = { createdBy: 'builds', createdByChannel: 'test', organisationId: 1 };
    const person = { firstName: 'Kari', surname: 'Nordmann', email: `${randomUUID()}@example.org`, expirationDate };
    return String((await this.#post('/profiles/temporary', { ...person, ...by })).customerNumber);
  }

  /** Converts the profile by an update of its workflow. */
  async convert(customerNumber: string): Promise<string> {
    const { profileType } = await this.#post(`/profiles/temporary/${customerNumber}/convert`, BY);
    await this.temporal.client.workflow.getHandle(this.profileWorkflow(customerNumber)).result();
    return String(profileType);
  }

  profileWorkflow(customerNumber: string): string {
    return temporaryProfileWorkflowId(customerNumber as CustomerNumber);
  }

  async close(): Promise<void> {
    await this.temporal.close();
  }

  async #post(path: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.#service.apiUrl}/customers/v2${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const json = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${JSON.stringify(json)}`);
    return json;
  }
}
