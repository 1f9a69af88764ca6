// The Pet Store as somebody writes it in Go with nothing but the standard library, to be checked by vouch.
//
//	go run pets.go [defect]    prints its address, and ends when it is told to
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

type newPet struct {
	Name       *string `json:"name"`
	CategoryID *int64  `json:"categoryId"`
	Status     *string `json:"status,omitempty"`
}

type pet struct {
	ID int64 `json:"id"`
	newPet
}

type problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Status  int    `json:"status"`
}

type shop struct {
	sync.Mutex
	pets     []pet
	messages int
}

var (
	statuses = []string{"available", "pending", "sold"}
	defect   = strings.Join(os.Args[1:], "")
)

func main() {
	s := &shop{}
	for i := range int64(30) {
		name, category := fmt.Sprintf("Pet %d", i+1), i%4+1
		s.pets = append(s.pets, pet{i + 1, newPet{&name, &category, &statuses[i%3]}})
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/pets", s.list)
	mux.HandleFunc("POST /v1/pets", s.create)
	mux.HandleFunc("GET /v1/pets/{petId}", s.read)
	mux.HandleFunc("GET /v1/store/orders", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, []int{}) })
	mux.HandleFunc("POST /v1/messages", s.message)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("http://%s/v1\n", listener.Addr())
	panic(http.Serve(listener, authorised(mux)))
}

func authorised(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || (key != "demo-key" && defect != "takes-any-key") || key == "" {
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, 401, "unauthorized", "An API key is required.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *shop) list(w http.ResponseWriter, r *http.Request) {
	query, limit, status := r.URL.Query(), 20, r.URL.Query().Get("status")
	if query.Has("limit") {
		asked, err := strconv.Atoi(query.Get("limit"))
		if err != nil || asked < 1 || asked > 100 {
			refuse(w, 400, "invalid_value", "limit must be from 1 to 100.")
			return
		}
		limit = asked
	}
	if query.Has("status") && !slices.Contains(statuses, status) {
		refuse(w, 400, "invalid_value", "status is none that there is.")
		return
	}
	s.Lock()
	defer s.Unlock()
	found := []pet{}
	for _, p := range s.pets {
		if status == "" || (p.Status != nil && *p.Status == status) {
			found = append(found, p)
		}
	}
	if defect == "passes-over-limit" {
		limit = len(found)
	}
	answer(w, 200, found[:min(limit, len(found))])
}

func (s *shop) create(w http.ResponseWriter, r *http.Request) {
	var sent newPet
	if !decode(w, r, &sent) {
		return
	}
	if sent.Name == nil || sent.CategoryID == nil {
		refuse(w, 400, "missing_field", "The fields name and categoryId are required.")
		return
	}
	if sent.Status != nil && !slices.Contains(statuses, *sent.Status) {
		refuse(w, 400, "invalid_value", "status is none that there is.")
		return
	}
	s.Lock()
	defer s.Unlock()
	made := pet{s.pets[len(s.pets)-1].ID + 1, sent}
	if defect == "rounds-numbers" {
		rounded := int64(float64(*sent.CategoryID))
		made.CategoryID = &rounded
	}
	s.pets = append(s.pets, made)
	answer(w, 201, made)
}

func (s *shop) read(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("petId"), 10, 64)
	s.Lock()
	defer s.Unlock()
	at := slices.IndexFunc(s.pets, func(p pet) bool { return p.ID == id })
	if err != nil || at == -1 {
		refuse(w, 404, "not_found", "No animal has this identifier.")
		return
	}
	answer(w, 200, s.pets[at])
}

func (s *shop) message(w http.ResponseWriter, r *http.Request) {
	var sent struct{ Message *string }
	if !decode(w, r, &sent) {
		return
	}
	if sent.Message == nil {
		refuse(w, 400, "missing_field", "The field message is required.")
		return
	}
	s.Lock()
	defer s.Unlock()
	s.messages++
	answer(w, 202, map[string]string{"id": fmt.Sprintf("msg_%04d", s.messages), "message": *sent.Message, "status": "queued", "createdAt": time.Now().UTC().Format(time.RFC3339)})
}

// decode answers by itself where the body cannot be read.
func decode(w http.ResponseWriter, r *http.Request, value any) bool {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		refuse(w, 415, "media_type", "The body must be application/json.")
		return false
	}
	decoder := json.NewDecoder(r.Body)
	err := decoder.Decode(value)
	if err == nil {
		if _, more := decoder.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("more than one value")
		}
	}
	if err != nil {
		refuse(w, 400, "invalid_json", err.Error())
	}
	return err == nil
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	answer(w, status, problem{code, message, status})
}

func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	// A client that has gone is nobody's concern.
	_ = json.NewEncoder(w).Encode(value)
}
