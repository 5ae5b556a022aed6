package tabular

import (
	"path/filepath"
	"strings"
)

// Open reads a table for display. What kind it is follows from its suffix, or from its first bytes where a workbook has
// the name of a text; all else is text. The errors are of the kinds of package fault and name the file.
func Open(path string) (*Table, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".xlsx", ".xlsm", ".xltx", ".xltm", ".xls", ".xlsb":
		return openBook(path)
	}
	raw, err := ReadRaw(path)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(raw, "PK\x03\x04") {
		if t, err := openBook(path); err == nil {
			n := append(notes{}, t.Notes...)
			n.warn("a workbook under another name", "The file is an Excel workbook. The scorer goes by its name and reads it as text", "Export the table as CSV, or rename the file to .xlsx where one is asked for")
			t.Notes = n.worstFirst()
			return t, nil
		}
	}
	return openText(path, raw)
}
