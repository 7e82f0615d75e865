import { Button } from '../../parts/actions/button.js';
import { HalfTurnIcon, TurnLeftIcon, TurnRightIcon } from '../../parts/icons.js';

/** Buttons that rotate by clockwise degrees. */
export function TurnButtons({ onTurn }: { onTurn: (degrees: number) => void }) {
  return (
    <>
      <Button small label="Rotate left" icon={<TurnLeftIcon />} onPress={() => onTurn(270)} />
      <Button small label="Rotate right" icon={<TurnRightIcon />} onPress={() => onTurn(90)} />
      <Button small label="Rotate by 180°" icon={<HalfTurnIcon />} onPress={() => onTurn(180)} />
    </>
  );
}
