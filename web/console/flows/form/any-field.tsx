import { useState } from 'react';
import { Button } from '../../parts/actions/button.js';
import { useFormScope } from './form-scope.js';
import { type FieldProps, RawField } from './plain-fields.js';
import { TemplateField } from './template-field.js';

/** A value of any type: a text as it is, and anything else as JSON. */
export function AnyField(props: FieldProps) {
  const { path, label, value, hint } = props;
  const { set, faultAt } = useFormScope();
  const [isJson, setJson] = useState(typeof value !== 'string');
  const isText = typeof value === 'string' && !isJson;
  return (
    <div className="form-ways">
      {isText ? (
        <TemplateField
          label={label}
          value={value}
          hint={hint}
          fault={faultAt(path)}
          onChange={(text) => set(path, text)}
        />
      ) : (
        <RawField {...props} />
      )}
      {typeof value === 'string' && (
        <span>
          <Button look="quiet" small onPress={() => setJson(isText)}>
            {isText ? 'Enter as JSON' : 'Enter as text'}
          </Button>
        </span>
      )}
    </div>
  );
}
