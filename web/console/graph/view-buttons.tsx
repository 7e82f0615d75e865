import { useReactFlow } from '@xyflow/react';
import { Button } from '../parts/actions/button.js';
import { FitIcon, MinusIcon, PlusIcon } from '../parts/icons.js';

/** The buttons that zoom a picture of a flow. */
export function ViewButtons({ onFit }: { onFit: () => void }) {
  const { zoomIn, zoomOut } = useReactFlow();
  return (
    <div className="graph-buttons">
      <Button small label="Zoom in" icon={<PlusIcon />} onPress={() => void zoomIn()} />
      <Button small label="Zoom out" icon={<MinusIcon />} onPress={() => void zoomOut()} />
      <Button small label="Show all of the flow" icon={<FitIcon />} onPress={onFit} />
    </div>
  );
}
