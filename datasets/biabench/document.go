package biabench

// Mapping is a mapping of a YAML document with its keys as Python's texts of them, in file order.
type Mapping struct {
	Keys   []string
	values map[string]any
}

// Get gives the value of a key; nil on a nil mapping.
func (m *Mapping) Get(key string) (value any, ok bool) {
	if m == nil {
		return nil, false
	}
	value, ok = m.values[key]
	return value, ok
}

// Mapping gives the value of a key if that is a mapping, else nil.
func (m *Mapping) Mapping(key string) *Mapping {
	v, _ := m.Get(key)
	inner, _ := v.(*Mapping)
	return inner
}

// List gives the value of a key if that is a list, else nil.
func (m *Mapping) List(key string) []any {
	v, _ := m.Get(key)
	list, _ := v.([]any)
	return list
}

// ParseYAML reads one YAML 1.1 document as the reference does (spec/contract.md 2). A value is nil, bool, int64, *big.Int,
// float64, string, Date, []byte, []any or *Mapping; an empty text is nil. The name is for messages.
func ParseYAML(name string, text []byte) (any, error) {
	root, err := parseYAML(name, text)
	if err != nil {
		return nil, err
	}
	return document(root.value), nil
}

func document(v any) any {
	switch v := v.(type) {
	case []item:
		list := make([]any, len(v))
		for i, x := range v {
			list[i] = document(x.value)
		}
		return list
	case *mapping:
		if v.set {
			return nil
		}
		m := &Mapping{values: make(map[string]any, len(v.entries))}
		for _, e := range v.entries {
			key := KeyText(e.key)
			if _, twice := m.values[key]; !twice {
				m.Keys = append(m.Keys, key)
			}
			m.values[key] = document(e.value)
		}
		return m
	}
	return v
}

// Falsy is Python's notion of an empty value, for what ParseYAML gives.
func Falsy(v any) bool {
	switch v := v.(type) {
	case []any:
		return len(v) == 0
	case *Mapping:
		return v == nil || len(v.Keys) == 0
	}
	return falsy(v)
}

// Number is Python's float() of a YAML or JSON value: numbers, booleans, and texts that hold a number.
func Number(v any) (float64, bool) { return pythonFloat(v) }
