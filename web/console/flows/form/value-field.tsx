import { Button } from '../../parts/actions/button.js';
import { Select } from '../../parts/entry/select.js';
import { CloseIcon, PlusIcon } from '../../parts/icons.js';
import { resolved, type Schema } from '../editor/json-schema.js';
import { newValue } from '../editor/new-value.js';
import { isMembers, type Members } from '../operations/definition.js';
import { AnyField } from './any-field.js';
import { labelOf, type Way, wayName, wayOf, waysOf } from './field-kind.js';
import { useFormScope } from './form-scope.js';
import { NamesField } from './names-field.js';
import {
  Below,
  ChoiceField,
  type FieldProps,
  LineField,
  NumberField,
  PickField,
  RawField,
  YesNoField,
} from './plain-fields.js';
import { TemplateField } from './template-field.js';

/** A value, entered as its schema says. With several ways, one of them is chosen first. */
export function ValueField(props: Omit<FieldProps, 'hint'>) {
  const { root, set, pick } = useFormScope();
  const { path, label, schema } = props;
  const hint = schema.description ?? resolved(schema, root).description;
  if (pick(path)) return <PickField {...props} hint={hint} />;
  const ways = waysOf(schema, root);
  // An object that may also be null counts as not set while it is null.
  const isUnset = props.value === null && ways.length > 0 && ways.every(({ look }) => look === 'members');
  const value = isUnset ? undefined : props.value;
  const way = wayOf(ways, value);
  const given = { ...props, value, hint };
  if (!way) return <RawField {...given} />;
  if (ways.length === 1 || value === undefined) return <WayField {...given} way={way} />;
  return (
    <div className="form-ways" role="group" aria-label={label}>
      <Select
        label={way.mark ? labelOf(way.mark[0]) : `${label}: written as`}
        options={ways.map((one, index) => ({ value: String(index), name: wayName(one) }))}
        value={String(ways.indexOf(way))}
        onChange={(index) => {
          const next = ways[Number(index)]!;
          if (next !== way) set(path, firstOf(next, root));
        }}
      />
      <WayField {...given} way={way} />
    </div>
  );
}

const firstOf = ({ look, schema }: Way, root: Schema): unknown => {
  if (look === 'text') return '';
  if (look === 'list') return schema.items ? [newValue(schema.items, root)] : [];
  return look === 'names' ? {} : newValue(schema, root);
};

/** The most letters of a text that is entered in one line, unless it is a template. */
const LINE = 300;

function WayField({ way, ...props }: FieldProps & { way: Way }) {
  const { set, faultAt, root, names } = useFormScope();
  const { path, label, value, isRequired, hint } = props;
  const isLine = way.schema.pattern !== undefined || (way.schema.maxLength ?? Infinity) <= LINE;
  const given = { ...props, schema: { ...way.schema, ...outerDefault(props.schema, way.schema) } };
  switch (way.look) {
    case 'choice':
      return <ChoiceField {...given} />;
    case 'boolean':
      return <YesNoField {...given} />;
    case 'number':
      return <NumberField {...given} />;
    case 'text':
      if (isLine && names.length === 0) return <LineField {...given} />;
      return (
        <TemplateField
          label={label}
          value={typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)}
          hint={hint}
          fault={faultAt(path)}
          isCode={path.at(-1) === 'code'}
          onChange={(text) => set(path, text === '' && !isRequired ? undefined : text)}
        />
      );
    case 'list':
      return <ListField {...given} />;
    case 'names':
      return <NamesField {...given} ValueOf={ValueOfName} />;
    case 'members':
      if (value === undefined)
        return (
          <div className="field">
            <span className="field-label">{label}</span>
            <span>
              <Button small icon={<PlusIcon />} onPress={() => set(path, newValue(way.schema, root))}>
                {`Set ${label.toLowerCase()}`}
              </Button>
            </span>
            <Below hint={hint} fault={faultAt(path)} />
          </div>
        );
      return (
        <fieldset className="form-group">
          <legend>{label}</legend>
          {!isRequired && (
            <RemoveButton label={`Remove ${label.toLowerCase()}`} onPress={() => set(path, undefined)} />
          )}
          <Below hint={undefined} fault={faultAt(path)} />
          <MemberFields
            path={path}
            schema={way.schema}
            value={value}
            without={way.mark ? [way.mark[0]] : []}
          />
        </fieldset>
      );
    default:
      return <AnyField {...props} />;
  }
}

/** The value of a name: the members of an object stand beside the name, without a frame of their own. */
function ValueOfName(props: Pick<FieldProps, 'path' | 'label' | 'value' | 'schema'>) {
  const { root } = useFormScope();
  const [way, ...others] = waysOf(props.schema, root);
  return way?.look === 'members' && others.length === 0 && isMembers(props.value) ? (
    <MemberFields path={props.path} schema={way.schema} value={props.value} />
  ) : (
    <ValueField {...props} isRequired />
  );
}

const outerDefault = (outer: Schema, inner: Schema): Partial<Schema> =>
  outer.default === undefined || inner.default !== undefined ? {} : { default: outer.default };

const RemoveButton = ({ label, onPress }: { label: string; onPress: () => void }) => (
  <span className="form-remove">
    <Button look="quiet" small label={label} icon={<CloseIcon />} onPress={onPress} />
  </span>
);

/** Returns the word for one of several: “Messages” → “Message”. */
const singular = (label: string): string => label.replace(/ies$/, 'y').replace(/s$/, '');

/** The members of an object: those of the schema in its order, then any others as JSON. */
export function MemberFields({
  path,
  schema: { properties = {}, required = [] },
  value,
  without = [],
}: {
  path: readonly string[];
  schema: Schema;
  value: unknown;
  without?: readonly string[];
}) {
  const members: Members = isMembers(value) ? value : {};
  const others = Object.keys(members).filter((name) => !Object.hasOwn(properties, name));
  const names = [...Object.keys(properties), ...others].filter((name) => !without.includes(name));
  return (
    <>
      {names.map((name) => (
        <ValueField
          key={name}
          path={[...path, name]}
          label={(Object.hasOwn(properties, name) && properties[name]!.title) || labelOf(name)}
          schema={Object.hasOwn(properties, name) ? properties[name]! : {}}
          value={Object.hasOwn(members, name) ? members[name] : undefined}
          isRequired={required.includes(name)}
        />
      ))}
    </>
  );
}

function ListField({ path, label, schema, value, isRequired, hint }: FieldProps) {
  const { root, set, swap, faultAt, ...scope } = useFormScope();
  const items: readonly unknown[] = Array.isArray(value) ? (value as unknown[]) : [];
  const itemSchema = schema.items ?? {};
  const areBranches = scope.areBranches(path);
  const nameOf = (index: number) => (areBranches ? `Branch ${index}` : `${singular(label)} ${index + 1}`);
  return (
    <fieldset className="form-group">
      <legend>{label}</legend>
      <Below hint={hint} fault={faultAt(path)} />
      {items.map((item, index) => (
        <div className="form-item" key={index}>
          <ValueField
            path={[...path, String(index)]}
            label={nameOf(index)}
            schema={itemSchema}
            value={item}
            isRequired
          />
          <div className="form-item-tools">
            {index > 0 && (
              <Button look="quiet" small onPress={() => swap(path, index - 1)}>
                Move up
              </Button>
            )}
            <Button
              look="quiet"
              small
              onPress={() =>
                set(items.length === 1 && !isRequired ? path : [...path, String(index)], undefined)
              }
            >
              {`Remove ${nameOf(index).toLowerCase()}`}
            </Button>
          </div>
        </div>
      ))}
      <span>
        <Button
          small
          icon={<PlusIcon />}
          onPress={() => {
            const item = newValue(itemSchema, root);
            // A step of a path into nothing makes an object.
            if (items.length === 0) set(path, [item]);
            else set([...path, String(items.length)], item);
          }}
        >
          {areBranches ? 'Add a branch' : `Add to ${label.toLowerCase()}`}
        </Button>
      </span>
    </fieldset>
  );
}
