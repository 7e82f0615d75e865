import { LineIcon } from '../../common/line-icon.js';

/** Line icons of 18 px, hidden from screen readers, since their buttons have labels. */
const icon = (path: string) =>
  function Icon() {
    return <LineIcon path={path} size={18} />;
  };

export const ListIcon = icon('M8.5 6h12M8.5 12h12M8.5 18h12M4 6h.01M4 12h.01M4 18h.01');
export const FlowIcon = icon(
  'M9 6a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM21 18a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM9 6h6.5a2.5 2.5 0 0 1 2.5 2.5V15',
);
export const InspectionIcon = icon(
  'M4 11.2 12 4.5l8 6.7V19a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zM8.8 13.6l2.3 2.3 4.2-4.4',
);
export const KeyIcon = icon(
  'M14.5 14a5 5 0 1 0-4.7-3.3L4 16.5V20h3.5v-2.3h2.3v-2.3l1.5-1.6a5 5 0 0 0 3.2.2zM16 8h.01',
);
export const SettingsIcon = icon(
  'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM9 19.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z',
);
export const CloseIcon = icon('m7 7 10 10M17 7 7 17');
export const CheckIcon = icon('m5.5 12.5 4.2 4.2 8.8-9.2');
export const CopyIcon = icon(
  'M9 9.5A1.5 1.5 0 0 1 10.5 8h8A1.5 1.5 0 0 1 20 9.5v9a1.5 1.5 0 0 1-1.5 1.5h-8A1.5 1.5 0 0 1 9 18.5zM15.5 8V5.5A1.5 1.5 0 0 0 14 4H5.5A1.5 1.5 0 0 0 4 5.5V14a1.5 1.5 0 0 0 1.5 1.5H9',
);
export const AlertIcon = icon('M12 8.5v4.2M12 16h.01M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17z');
export const SearchIcon = icon('M10.8 17.1a6.3 6.3 0 1 0 0-12.6 6.3 6.3 0 0 0 0 12.6zM15.4 15.4l4.6 4.6');
export const ChevronDownIcon = icon('m6.5 9.5 5.5 5.5 5.5-5.5');
export const ChevronRightIcon = icon('m9.5 6.5 5.5 5.5-5.5 5.5');
export const BackIcon = icon('M19 12H5.5M11 6l-6 6 6 6');
export const StopIcon = icon('M7.5 7.5h9v9h-9z');
export const RepeatIcon = icon(
  'M5 12a7 7 0 0 1 12-5l2.5 2.5M19.5 5v4.5H15M19 12a7 7 0 0 1-12 5l-2.5-2.5M4.5 19v-4.5H9',
);
export const PlusIcon = icon('M12 5v14M5 12h14');
export const TrashIcon = icon('M4.5 7h15M9.5 7V5h5v2M6.5 7l.8 12.5h9.4L17.5 7M10.3 11v5M13.7 11v5');
export const DownloadIcon = icon('M12 4.5v10.5M7.5 11l4.5 4.5 4.5-4.5M5 19.5h14');
export const ExternalIcon = icon('M13.5 5H19v5.5M19 5l-8 8M16.5 14v4.5h-11v-11H10');
export const ClockIcon = icon('M12 7.5V12l3 2M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17z');
export const ChatIcon = icon(
  'M4.5 6.5A1.5 1.5 0 0 1 6 5h12a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 18 16h-7l-4.5 3.5V16H6a1.5 1.5 0 0 1-1.5-1.5z',
);
export const ImageIcon = icon(
  'M4 6.5A1.5 1.5 0 0 1 5.5 5h13A1.5 1.5 0 0 1 20 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5zM4.5 17l4.5-4.8 3.5 3.6 2.3-2.3 4.7 4.5M15 9h.01',
);
export const ReportIcon = icon(
  'M13.5 3.5H7A1.5 1.5 0 0 0 5.5 5v14A1.5 1.5 0 0 0 7 20.5h10a1.5 1.5 0 0 0 1.5-1.5V8.5zM13.5 3.5v5h5M9 13h6M9 16.5h4',
);
export const DocumentsIcon = icon(
  'M5 5.5A2.5 2.5 0 0 1 7.5 3H19v14.5H7.5A2.5 2.5 0 0 0 5 20zM5 20a1.5 1.5 0 0 0 1.5 1.5H19v-4M9 7.5h6M9 11h4',
);
export const MinusIcon = icon('M6 12h12');
export const RunningIcon = icon('M12 4a8 8 0 1 1-8 8');
export const FitIcon = icon('M4.5 9V4.5H9M15 4.5h4.5V9M19.5 15v4.5H15M9 19.5H4.5V15');
export const FilterIcon = icon('M4 6.5h16M7 12h10M10 17.5h4');
export const KeyboardIcon = icon(
  'M4 6.5h16a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM7 10h.01M11 10h.01M15 10h.01M18 10h.01M8 14h8',
);
export const MoreIcon = icon(
  'M6.6 12a.6.6 0 1 1-1.2 0 .6.6 0 0 1 1.2 0zM12.6 12a.6.6 0 1 1-1.2 0 .6.6 0 0 1 1.2 0zM18.6 12a.6.6 0 1 1-1.2 0 .6.6 0 0 1 1.2 0z',
);
export const ThumbUpIcon = icon(
  'M7.5 11v8.5h-3V11zM7.5 11l4-7a2.2 2.2 0 0 1 2 2.2V9.5h4.6a2 2 0 0 1 2 2.3l-1 6a2 2 0 0 1-2 1.7H7.5',
);
export const ThumbDownIcon = icon(
  'M7.5 13V4.5h-3V13zM7.5 13l4 7a2.2 2.2 0 0 0 2-2.2v-3.3h4.6a2 2 0 0 0 2-2.3l-1-6a2 2 0 0 0-2-1.7H7.5',
);
export const UploadIcon = icon('M12 15V4.5M7.5 9 12 4.5 16.5 9M5 19.5h14');
export const CameraIcon = icon(
  'M4 8.5A1.5 1.5 0 0 1 5.5 7h2l1.6-2.5h5.8L16.5 7h2A1.5 1.5 0 0 1 20 8.5v9a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5zM12 16.2a3.4 3.4 0 1 0 0-6.8 3.4 3.4 0 0 0 0 6.8z',
);
export const NoteIcon = icon('M5 5.5h14v9.5l-4.5 4.5H5zM14.5 19.5V15H19M8.5 9.5h7M8.5 13h4');
export const ChevronLeftIcon = icon('m14.5 6.5-5.5 5.5 5.5 5.5');
export const CompareIcon = icon('M12 4v16M4.5 7h4.5v10H4.5zM15 7h4.5v10H15z');
export const OfflineIcon = icon(
  'M4 4l16 16M4.5 12a11 11 0 0 1 4.7-2.6M14.8 9.4a11 11 0 0 1 4.7 2.6M8.6 15.8a5.4 5.4 0 0 1 6.8 0M12 19.5h.01',
);
export const TurnLeftIcon = icon('M4.5 5v4.5H9M4.9 9.3A8 8 0 1 1 4.2 14');
export const TurnRightIcon = icon('M19.5 5v4.5H15M19.1 9.3a8 8 0 1 0 .7 4.7');
export const HalfTurnIcon = icon('M4.5 16a7.5 7.5 0 0 1 15 0M15.8 12.6l3.7 3.7 3-4.2');
export const MoveIcon = icon(
  'M4 7.5V18a1.5 1.5 0 0 0 1.5 1.5h13A1.5 1.5 0 0 0 20 18V9a1.5 1.5 0 0 0-1.5-1.5H12l-2-2.5H5.5A1.5 1.5 0 0 0 4 6.5zM9 13.5h6M12.5 11l2.5 2.5-2.5 2.5',
);
export const PencilIcon = icon('M5 19l1-4L16 5l3 3L9 18zM13.8 7.2l3 3');
export const WithdrawIcon = icon(
  'M5 5l14 14M10 6.3A9.6 9.6 0 0 1 12 6c5 0 8.5 6 8.5 6a15 15 0 0 1-2.6 3.2M14.2 14.3A3 3 0 0 1 9.8 9.8M6.5 8.2A15 15 0 0 0 3.5 12S7 18 12 18a8.6 8.6 0 0 0 3.3-.7',
);
export const BringBackIcon = icon(
  'M3.5 12S7 6 12 6s8.5 6 8.5 6-3.5 6-8.5 6-8.5-6-8.5-6zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
);
export const UndoIcon = icon('M8.5 5.5l-4 4 4 4M5 9.5h9a5 5 0 0 1 0 10h-3');
export const RedoIcon = icon('M15.5 5.5l4 4-4 4M19 9.5h-9a5 5 0 0 0 0 10h3');
