/**
 * Organisations, groups and lines of a dataset. Callers: the import of a file. Common files come first, so the groups
 * that represent a line are known before the line.
 */
import type {
  BrandingEntity,
  GroupOfLinesEntity,
  LineEntity,
  OrganisationEntity,
} from '../../../netex/entities/entity-types.ts';
import type { TimetableBuilder } from '../../../planner/build/input.ts';
import { isTimeZone } from '../../../planner/index.ts';
import type { EntityStore } from './entity-store.ts';
import type { NoticeIndex } from './notice-index.ts';
import type { Scope } from './scope.ts';
import { toBooking, toColour } from './small-mappings.ts';
import { toSubmode, toTransportMode } from './transport-modes.ts';

const DEFAULT_TIME_ZONE = 'Europe/Oslo';

export class LineImport {
  readonly #builder: TimetableBuilder;
  readonly #authorities = new Set<string>();
  readonly #operators = new Map<string, OrganisationEntity>();
  /** Keyed by the id of a network or group of lines. */
  readonly #authorityOfGroup = new Map<string, string>();
  readonly #groups = new Set<string>();
  readonly #groupsOfLine = new Map<string, string[]>();
  readonly #authorityOfLine = new Map<string, string>();

  constructor(builder: TimetableBuilder) {
    this.#builder = builder;
  }

  /** Organisations and networks of a file, before its lines. */
  addOrganisations({ organisations, networks, groups }: EntityStore): void {
    for (const organisation of organisations) {
      if (organisation.kind === 'Authority') this.#addAuthority(organisation);
      else this.#addOperator(organisation);
    }
    for (const network of networks) {
      const { authorityRef } = network;
      if (authorityRef !== undefined) this.#authorityOfGroup.set(network.id, authorityRef);
      for (const line of network.lineRefs)
        if (authorityRef !== undefined) this.#authorityOfLine.set(line, authorityRef);
      for (const group of network.groups) this.#addGroup(group, authorityRef);
    }
    for (const group of groups) this.#addGroup(group, undefined);
  }

  /** True when the line was given to the builder; otherwise it was counted there. */
  addLine(scope: Scope, line: LineEntity, notices: NoticeIndex): boolean {
    const authorityId = this.#findAuthority(line);
    if (authorityId === undefined) {
      this.#builder.reject('line', 'no authority is known', line.id);
      return false;
    }
    const { representedByGroupRef: group } = line;
    const groupIds = new Set(this.#groupsOfLine.get(line.id));
    if (group !== undefined && this.#groups.has(group)) groupIds.add(group);
    this.#builder.addLine({
      id: line.id,
      name: line.name,
      publicCode: line.publicCode,
      privateCode: line.privateCode,
      description: line.description,
      url: line.url,
      mode: toTransportMode(line.transportMode),
      submode: toSubmode(line.transportSubmode),
      authorityId,
      operatorId: line.operatorRef,
      groupIds: [...groupIds],
      colour: toColour(line.colour),
      textColour: toColour(line.textColour),
      branding: this.#brandingOf(scope, line),
      flexibleLineType: line.flexibleLineType,
      booking: toBooking(line.booking),
      noticeIds: notices.find(line.id),
    });
    return true;
  }

  #addAuthority({ id, name, url, phone, language, timeZone }: OrganisationEntity): void {
    if (this.#authorities.has(id)) return;
    this.#authorities.add(id);
    const known = timeZone !== undefined && isTimeZone(timeZone);
    if (timeZone !== undefined && !known) this.#builder.reject('timeZone', 'not known', `${id} ${timeZone}`);
    this.#builder.addAuthority({
      id,
      name: name ?? id,
      url,
      phone,
      language,
      timeZone: known ? timeZone : DEFAULT_TIME_ZONE,
    });
  }

  #addOperator(organisation: OrganisationEntity): void {
    const { id, name, url, phone } = organisation;
    if (this.#operators.has(id)) return;
    this.#operators.set(id, organisation);
    this.#builder.addOperator({ id, name: name ?? id, url, phone });
  }

  #addGroup(group: GroupOfLinesEntity, authorityRef: string | undefined): void {
    const { id, name, shortName, description, privateCode } = group;
    if (authorityRef !== undefined) this.#authorityOfGroup.set(id, authorityRef);
    for (const line of group.lineRefs) {
      const groups = this.#groupsOfLine.get(line);
      if (groups) groups.push(id);
      else this.#groupsOfLine.set(line, [id]);
      if (authorityRef !== undefined && !this.#authorityOfLine.has(line)) this.#authorityOfLine.set(line, authorityRef);
    }
    if (this.#groups.has(id)) return;
    this.#groups.add(id);
    this.#builder.addGroupOfLines({ id, name, shortName, description, privateCode });
  }

  /**
   * The line's own authority, that of the group that represents it, or that of the group that lists it. In a dataset
   * with one authority, that one.
   */
  #findAuthority({ id, authorityRef, representedByGroupRef: group }: LineEntity): string | undefined {
    const ofGroup = group === undefined ? undefined : this.#authorityOfGroup.get(group);
    const named = authorityRef ?? ofGroup ?? this.#authorityOfLine.get(id);
    if (named !== undefined) return this.#asAuthority(named);
    return this.#authorities.size === 1 ? [...this.#authorities][0] : undefined;
  }

  /** A network may belong to an operator. An id that is unknown here may be in another dataset: the builder decides. */
  #asAuthority(id: string): string {
    const operator = this.#authorities.has(id) ? undefined : this.#operators.get(id);
    if (operator) this.#addAuthority(operator);
    return id;
  }

  #brandingOf(scope: Scope, { branding, brandingRef }: LineEntity): BrandingEntity | undefined {
    return branding ?? scope.find('brandings', brandingRef);
  }
}
