/**
 * The areas of the running service. A new area needs one line here and its own folders. Its manifest then determines
 * processes, indexes, topics, search attributes, erasure, the local stack and the checks of the composition.
 */
import { authArea } from './auth/area.ts';
import { catalogueArea } from './catalogue/area.ts';
import { customersArea } from './customers/area.ts';
import { eventsArea } from './events/area.ts';
import { timetableArea } from './timetable/area.ts';

export const AREAS = [authArea, timetableArea, customersArea, eventsArea, catalogueArea] as const;
