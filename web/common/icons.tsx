import { LineIcon } from './line-icon.js';

/** Line icons, hidden from screen readers, since their buttons have labels. */
const icon = (path: string) =>
  function Icon() {
    return <LineIcon path={path} size={22} />;
  };

export const SendIcon = icon('M12 19V5.5M6 11l6-6 6 6');
export const StopIcon = icon('M7.5 7.5h9v9h-9z');
export const CloseIcon = icon('m7 7 10 10M17 7 7 17');
export const ListIcon = icon('M5 7h.01M5 12h.01M5 17h.01M9 7h10.5M9 12h10.5M9 17h10.5');
export const NewChatIcon = icon('M12 20h8M16.4 4.6a2 2 0 0 1 2.9 2.9L8.6 18.2l-4 1.1 1.1-4z');
export const DownIcon = icon('M12 5v13M6 12.5l6 6 6-6');
export const ChevronIcon = icon('m7 10 5 5 5-5');
export const ImagesIcon = icon(
  'M4 6.5A2.5 2.5 0 0 1 6.5 4h11A2.5 2.5 0 0 1 20 6.5v11a2.5 2.5 0 0 1-2.5 2.5h-11A2.5 2.5 0 0 1 4 17.5zM4.5 17.5l4.2-4.6a1.5 1.5 0 0 1 2.2 0l2.6 2.8 1.4-1.5a1.5 1.5 0 0 1 2.2 0l2.6 2.9M15.5 9h.01',
);
export const CameraIcon = icon(
  'M4 9a2 2 0 0 1 2-2h1.6a1 1 0 0 0 .8-.4l1-1.4a1 1 0 0 1 .8-.4h3.6a1 1 0 0 1 .8.4l1 1.4a1 1 0 0 0 .8.4H18a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
);
export const ReportIcon = icon(
  'M13.5 3.5H7A1.5 1.5 0 0 0 5.5 5v14A1.5 1.5 0 0 0 7 20.5h10a1.5 1.5 0 0 0 1.5-1.5V8.5zM13.5 3.5v5h5M9 13h6M9 16.5h4',
);
export const DownloadIcon = icon('M12 4.5v10.5M7.5 11l4.5 4.5 4.5-4.5M5 19.5h14');
export const ShareIcon = icon('M12 15V4.5M8 8.2l4-3.7 4 3.7M6.5 11.5H5V20h14v-8.5h-1.5');
export const LinkIcon = icon(
  'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1.2 1.2M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2',
);
export const KeyIcon = icon(
  'M14.5 14a5 5 0 1 0-4.7-3.3L4 16.5V20h3.5v-2.3h2.3v-2.3l1.5-1.6a5 5 0 0 0 3.2.2zM16 8h.01',
);
export const ChecklistIcon = icon(
  'm4 6.5 1.5 1.5L8 5.5M4 12.5 5.5 14 8 11.5M4 18.5 5.5 20 8 17.5M12 7h8M12 13h8M12 19h8',
);
export const EditIcon = icon('M16.4 4.6a2 2 0 0 1 2.9 2.9L8.6 18.2l-4 1.1 1.1-4z');
export const AlertIcon = icon('M12 8.5v4.2M12 16h.01M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17z');
export const ClockIcon = icon('M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 7.5V12l3 2');
export const CheckIcon = icon('m6.5 12.5 3.6 3.6 7.4-8');
export const RetryIcon = icon('M19 12a7 7 0 1 1-2.2-5.1M17.5 3v4.2h-4.2');
export const OfflineIcon = icon(
  'M4 4l16 16M8.5 15.8a5 5 0 0 1 6.4-.5M5.6 12.6a9 9 0 0 1 4-2.3M14.6 10.4a9 9 0 0 1 3.8 2.2M2.8 9.4a13 13 0 0 1 3.8-2.5M10.3 5.9a13 13 0 0 1 10.9 3.5M12 19h.01',
);
export const FileIcon = icon(
  'M13.5 3.5H7A1.5 1.5 0 0 0 5.5 5v14A1.5 1.5 0 0 0 7 20.5h10a1.5 1.5 0 0 0 1.5-1.5V8.5zM13.5 3.5v5h5',
);

export const MoreIcon = icon('M5.5 12h.01M12 12h.01M18.5 12h.01');
export const TurnLeftIcon = icon('M5 12a7 7 0 1 0 2.2-5.1M6.5 3v4.2h4.2');
export const TurnRightIcon = icon('M19 12a7 7 0 1 1-2.2-5.1M17.5 3v4.2h-4.2');
export const TurnOverIcon = icon('M8 4v16M8 4 4.5 7.5M8 4l3.5 3.5M16 20V4M16 20l-3.5-3.5M16 20l3.5-3.5');
export const WithdrawIcon = icon('M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM6 6l12 12');
export const PendingIcon = icon(
  'M9.5 3.9a8.5 8.5 0 0 1 5 0M18.5 6.5a8.5 8.5 0 0 1 1.9 4.2M20 15a8.5 8.5 0 0 1-3.2 4M14 20.3a8.5 8.5 0 0 1-4 0M7.2 19A8.5 8.5 0 0 1 4 15M3.6 10.7a8.5 8.5 0 0 1 1.9-4.2',
);
export const DeleteIcon = icon(
  'M5 7h14M10 7V5a1 1 0 0 1 1-1h2a1 1 0 0 1 1 1v2M6.5 7l.8 11.6A1.5 1.5 0 0 0 8.8 20h6.4a1.5 1.5 0 0 0 1.5-1.4L17.5 7M10.5 11v5M13.5 11v5',
);
export const BackIcon = icon('M9 14 4.5 9.5 9 5M4.5 9.5H14a5.5 5.5 0 0 1 0 11h-3');

/** The product's logo, as in the page icon. */
export function HouseIcon() {
  return (
    <svg viewBox="0 0 32 32" width="48" height="48" fill="none" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g strokeWidth="2.2" strokeLinecap="round" strokeLinejoin="round">
        <path d="M7.5 15.6 16 8.2l8.5 7.4V24a1 1 0 0 1-1 1h-15a1 1 0 0 1-1-1z" stroke="var(--on-accent)" />
        <path d="m12 18.6 2.9 2.9 5.4-5.6" stroke="var(--on-accent)" opacity="0.75" />
      </g>
    </svg>
  );
}
