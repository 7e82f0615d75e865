import type { Session } from '../../../../src/api/inspections.js';
import { USUAL_ROOMS } from '../../../common/usual-rooms.js';
import { Field } from '../../parts/entry/field.js';
import { CheckIcon } from '../../parts/icons.js';
import { sameArea, SERVICE_AREAS } from '../photographs/service-areas.js';
import './area-picker.css';

const MOST_OWN = 24;

/** Chooses the area of the next photographs: by name, or from the existing and usual ones. */
export function AreaPicker({
  area,
  onChange,
  session,
}: {
  area: string;
  onChange: (area: string) => void;
  session: Session | undefined;
}) {
  const own = (session?.areas ?? []).map((one) => one.area).filter((name) => !isService(name));
  const rooms = [
    ...own.slice(-MOST_OWN),
    ...USUAL_ROOMS.filter((usual) => !own.some((name) => sameArea(name, usual))),
  ];
  const missing = session?.outstandingAreas ?? SERVICE_AREAS.map(({ slug }) => slug);
  return (
    <div className="area-picker">
      <Field
        label="Area"
        value={area}
        onChange={onChange}
        placeholder="Bedroom 2"
        maxLength={200}
        autoComplete="off"
        hint="Choose one below or enter any room. If empty, photographs go to the current area, or to General."
      />
      <Chips label="Meters and keys">
        {SERVICE_AREAS.map(({ slug, name }) => (
          <Chip key={slug} name={name} chosen={sameArea(name, area)} onChoose={onChange}>
            {missing.includes(slug) ? (
              <span className="chip-missing">outstanding</span>
            ) : (
              <>
                <CheckIcon />
                <span className="hidden">recorded</span>
              </>
            )}
          </Chip>
        ))}
      </Chips>
      <Chips label="Rooms">
        {rooms.map((name) => (
          <Chip key={name} name={name} chosen={sameArea(name, area)} onChoose={onChange} />
        ))}
      </Chips>
    </div>
  );
}

const isService = (name: string): boolean => SERVICE_AREAS.some((area) => sameArea(area.name, name));

function Chips({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="chips" role="group" aria-label={label}>
      {children}
    </div>
  );
}

function Chip({
  name,
  chosen,
  onChoose,
  children,
}: {
  name: string;
  chosen: boolean;
  onChoose: (name: string) => void;
  children?: React.ReactNode;
}) {
  return (
    <button type="button" className="chip" aria-pressed={chosen} onClick={() => onChoose(name)}>
      <span className="chip-name">{name}</span>
      {children}
    </button>
  );
}
