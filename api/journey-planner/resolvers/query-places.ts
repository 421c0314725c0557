/** Resolves `stopPlaces`, `quays` and their queries by box. */
import type { Quay, StopPlace } from '../../../planner/model/entities.ts';
import { cut, distinct, type Found, pickAll, pickNamed, pickWhere } from './lists.ts';
import { type BoxArgs, boxOf, isQuayInUse, isStopPlaceInUse, type MultiModalMode, shownAs } from './places.ts';
import { linesOfQuay } from './quay.ts';
import type { RequestContext } from './request-context.ts';

type Ids = readonly (string | null)[] | null;

interface BoxPlacesArgs extends BoxArgs {
  readonly filterByInUse?: boolean | null;
  /** Id of an authority. Only places that its lines serve match. */
  readonly authority?: string | null;
}

export function stopPlaces({ ids }: { readonly ids?: Ids }, context: RequestContext): readonly (StopPlace | null)[] {
  const { stopPlaces: all } = context.timetable.catalogue;
  return ids ? pickNamed(all, ids, 'stopPlaces', context) : pickAll(all, 'stopPlaces', context);
}

export function quays(
  args: { readonly ids?: Ids; readonly name?: string | null },
  context: RequestContext,
): Found<Quay | null> {
  const { quays: all } = context.timetable.catalogue;
  if (args.ids) return pickNamed(all, args.ids, 'quays', context);
  const wanted = args.name?.toLocaleLowerCase();
  if (!wanted) return pickAll(all, 'quays', context);
  return pickWhere(all, 'quays', context, ({ name }) => name.toLocaleLowerCase().includes(wanted));
}

export function stopPlacesIn(
  args: BoxPlacesArgs & { readonly multiModalMode?: MultiModalMode | null },
  context: RequestContext,
): readonly StopPlace[] {
  const { catalogue, geo } = context.timetable;
  const mode = args.multiModalMode ?? 'parent';
  let found = distinct(geo.stopPlacesIn(boxOf(args)).flatMap((place) => shownAs(place, mode, context)));
  if (args.filterByInUse) found = found.filter((place) => isStopPlaceInUse(place, context));
  if (args.authority) {
    const { authority } = args;
    found = found.filter((place) =>
      catalogue.quaysOf(place, true).some((stop) => isServedBy(catalogue.quays.at(stop), authority, context)),
    );
  }
  return cut(found, 'stopPlacesByBbox', context).map((place) => catalogue.stopPlaces.at(place));
}

export function quaysIn(args: BoxPlacesArgs, context: RequestContext): readonly Quay[] {
  const { catalogue, geo } = context.timetable;
  let found = geo.quaysIn(boxOf(args));
  if (args.filterByInUse) found = found.filter((stop) => isQuayInUse(stop, context));
  if (args.authority) {
    const { authority } = args;
    found = found.filter((stop) => isServedBy(catalogue.quays.at(stop), authority, context));
  }
  return cut(found, 'quaysByBbox', context).map((stop) => catalogue.quays.at(stop));
}

function isServedBy(quay: Quay, authorityId: string, context: RequestContext): boolean {
  const { authorities, lines } = context.timetable.catalogue;
  const authority = authorities.find(authorityId)?.index;
  return linesOfQuay(quay, context).some((line) => lines.at(line).authority === authority);
}
