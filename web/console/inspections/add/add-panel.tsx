import { type DragEvent, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import type { Session } from '../../../../src/api/inspections.js';
import { Button } from '../../parts/actions/button.js';
import { Checkbox } from '../../parts/entry/checkbox.js';
import { CameraIcon, ImageIcon, ReportIcon } from '../../parts/icons.js';
import { FlowKeyField } from '../flow-key-field.js';
import { useFlowKey } from '../flow-keys.js';
import type { Place } from '../place.js';
import './add-panel.css';
import { AreaPicker } from './area-picker.js';
import { RemarkForm } from './remark-form.js';
import { UploadList } from './upload-list.js';
import { useUploads } from './uploads.js';

interface AddPanelProps {
  place: Place;
  session: Session | undefined;
  onRecorded: () => void;
  onReport: () => void;
}

/** Adds photographs and remarks from this device. */
export function AddPanel({ place, session, onRecorded, onReport }: AddPanelProps) {
  const [written, setWritten] = useState<string>();
  const area = written ?? session?.currentArea ?? '';
  const [ownTime, setOwnTime] = useState(false);
  const [remarkRefused, setRemarkRefused] = useState(false);
  const [queue, uploads] = useUploads(place, onRecorded);
  const key = useFlowKey(place.flowId);
  const refused = remarkRefused || uploads.some(({ journey }) => journey.at === 'failed' && journey.asksKey);
  const locked = place.flow?.keyed === true && key === undefined;
  const add = (files: readonly File[]) => {
    if (files.length === 0) return;
    const now = Date.now();
    // Times a millisecond apart preserve the chosen order.
    queue.add(files, area.trim(), (file, index) =>
      new Date(ownTime ? file.lastModified : now + index).toISOString(),
    );
    setWritten(area);
  };
  return (
    <div className="add">
      <FlowKeyField
        place={place}
        refused={refused}
        onGiven={() => {
          setRemarkRefused(false);
          queue.retryAll();
        }}
      />
      <AreaPicker area={area} onChange={setWritten} session={session} />
      <PhotographButtons locked={locked} onAdd={add} />
      <Checkbox isSelected={ownTime} onChange={setOwnTime}>
        Taken earlier: use each file’s own time
      </Checkbox>
      <UploadList queue={queue} uploads={uploads} />
      <RemarkForm
        place={place}
        area={area}
        onRecorded={() => {
          setWritten(area);
          onRecorded();
        }}
        onRefused={() => setRemarkRefused(true)}
      />
      {session !== undefined && session.pending > 0 && (
        <div className="add-next">
          <p>When everything is photographed, create the report.</p>
          <Button look="primary" icon={<ReportIcon />} onPress={onReport}>
            Go to the report
          </Button>
        </div>
      )}
    </div>
  );
}

const KINDS = ['image/*', '.heic', '.heif'];

/** Buttons for the camera (on touch devices) and for files, which can also be dropped. */
function PhotographButtons({ locked, onAdd }: { locked: boolean; onAdd: (files: readonly File[]) => void }) {
  const [over, setOver] = useState(false);
  const onSelect = (list: FileList | null) => onAdd([...(list ?? [])]);
  const drag = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === 'dragover' && !locked);
    if (event.type === 'drop' && !locked) onAdd([...event.dataTransfer.files]);
  };
  return (
    <div
      className={over ? 'add-drop add-drop-over' : 'add-drop'}
      onDragOver={drag}
      onDragLeave={drag}
      onDrop={drag}
    >
      <div className="add-camera">
        <FileTrigger acceptedFileTypes={['image/*']} defaultCamera="environment" onSelect={onSelect}>
          <Button look="primary" icon={<CameraIcon />} isDisabled={locked}>
            Take a photograph
          </Button>
        </FileTrigger>
      </div>
      <FileTrigger acceptedFileTypes={KINDS} allowsMultiple onSelect={onSelect}>
        <Button icon={<ImageIcon />} isDisabled={locked}>
          Choose photographs
        </Button>
      </FileTrigger>
      <span className="add-drop-hint">
        {locked
          ? 'Enter the flow’s key first.'
          : 'or drop them here. JPEG, HEIC, PNG, WebP, AVIF, GIF, TIFF.'}
      </span>
    </div>
  );
}
