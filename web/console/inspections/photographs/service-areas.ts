/** The five areas that a check-in or check-out report expects, as `outstandingAreas` and `skippedAreas` write them. */
export const SERVICE_AREAS = [
  { slug: 'electricity-meter', name: 'Electricity Meter' },
  { slug: 'gas-meter', name: 'Gas Meter' },
  { slug: 'water-meter', name: 'Water Meter' },
  { slug: 'keys', name: 'Keys' },
  { slug: 'detectors', name: 'Detectors' },
] as const;

/** The name of an area that is written as a slug; what is not known stays as it is. */
export const serviceAreaName = (slug: string): string =>
  SERVICE_AREAS.find((area) => area.slug === slug)?.name ?? slug;

/** Whether two names write the same area, as far as that is plain: the service decides. */
export const sameArea = (one: string, other: string): boolean => plain(one) === plain(other);

const plain = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s\-/]+/u)
    .join(' ')
    .trim();
