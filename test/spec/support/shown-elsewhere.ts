/** Rules about archives, services and the like, which a changed sample cannot show: the test that does. */
export const shownElsewhere: Readonly<Record<string, string>> = {};
