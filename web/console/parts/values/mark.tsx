/** The product's logo, as in the page icon. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="26" height="26" fill="none" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#0f5a60" />
      <g strokeWidth="2.2" strokeLinecap="round" strokeLinejoin="round">
        <path d="M7.5 15.6 16 8.2l8.5 7.4V24a1 1 0 0 1-1 1h-15a1 1 0 0 1-1-1z" stroke="#fff" />
        <path d="m12 18.6 2.9 2.9 5.4-5.6" stroke="#9fe0d8" />
      </g>
    </svg>
  );
}
